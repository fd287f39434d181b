/** What columns are called, in English and in the languages of neighbours; folded as `nameWords` does it. */
import type { ColumnField } from './schema.ts'

/** Headers that are these words. */
export const NAMES: Record<ColumnField, readonly string[]> = {
  full_name: names(`name, full name, contact, contact name, contact person, person, display name, customer name,
    client name, lead name, kontakt, kontaktperson, ansprechpartner, vollstandiger name, nom, nom complet, nombre,
    nombre completo, nome, nome completo, naam, volledige naam, contactpersoon, imie i nazwisko, ime i prezime,
    име, име и презиме, имя, фио`),
  first_name: names(`first name, firstname, first, given name, forename, christian name, vorname, prenom,
    nombre de pila, primer nombre, primeiro nome, voornaam, imie, fornavn, fornamn`),
  last_name: names(`last name, lastname, last, surname, family name, second name, nachname, familienname,
    nom de famille, apellido, apellidos, cognome, sobrenome, apelido, achternaam, nazwisko, prezime, презиме, фамилия,
    etternavn, efternavn, efternamn`),
  company: names(`company, company name, organisation, organization, organisation name, organization name,
    organization 1 name, account, account name, business, business name, employer, firm, firm name, legal name,
    trading name, client company, security, firma, firmenname, unternehmen, unternehmensname, gesellschaft, societe,
    entreprise, raison sociale, empresa, compania, razon social, organizacion, organizacao, azienda, ditta,
    ragione sociale, bedrijf, bedrijfsnaam, organisatie, foretag, virksomhed, компанија, фирма, компания, организация`),
  email: names(`email, e mail, email address, e mail address, mail, mail address, email 1, email 1 value,
    e mail 1 value, primary email, emailadresse, e mail adresse, mailadresse, courriel, adresse e mail, adresse email,
    adresse mail, adresse electronique, correo, correo electronico, email direccion, posta elettronica,
    indirizzo email, indirizzo e mail, emailadres, e mailadres, e mail adres, endereco de email, epost, e post,
    е пошта, имейл, почта, электронная почта`),
  phone: names(`phone, phone number, phone no, telephone, telephone number, tel, tel no, mobile, mobile phone,
    mobile number, cell, cell phone, cellphone, phone 1, phone 1 value, primary phone, telefon, telefonnummer,
    rufnummer, handy, handynummer, mobil, mobiltelefon, mobilnummer, telephone portable, portable, numero de telephone,
    telefono, numero de telefono, movil, celular, cellulare, numero di telefono, telefone, telemovel, telefoon,
    telefoonnummer, mobiel, телефон, мобилен`),
  location: names(`location, headquarters location, headquarters, hq, hq location, place, address, full address,
    street, street address, city, town, state, region, province, country, standort, sitz, adresse, anschrift, strasse,
    stadt, ort, wohnort, land, bundesland, ville, pays, lieu, siege, ubicacion, direccion, ciudad, pais, provincia,
    sede, indirizzo, citta, paese, localizacao, endereco, morada, cidade, plaats, stad, adres, straat, miasto, kraj,
    grad, локација, адреса, град, држава, адрес, город, страна`),
  deal_stage: names(`stage, deal stage, pipeline stage, sales stage, opportunity stage, lead status, lead stage,
    deal status, phase, deal phase, verkaufsphase, vertriebsphase, etape, etape de vente, etapa, etapa del negocio,
    fase, fase di vendita, fase van de deal, фаза`),
  deal_value: names(`value, deal value, deal amount, deal size, amount, opportunity amount, opportunity value,
    contract value, betrag, wert, auftragswert, auftragsvolumen, montant, valeur, importe, valor, valor del negocio,
    importo, valore, bedrag, waarde, dealwaarde, kwota, iznos, износ, вредност, сумма`),
  label: names(`label, rating, lead rating, temperature`),
  tags: names(`tags, tag, labels, keywords, categories, groups, group membership, schlagworte, schlagworter,
    stichworte, etiquettes, mots cles, etiquetas, palabras clave, etichette, parole chiave, palavras chave,
    trefwoorden, ознаки, теги`),
  tag: names(`sector, industry, sub industry, subindustry, sub sector, vertical, category, segment, branche,
    kategorie, secteur, categorie, industrie, industria, rubro, categoria, settore, setor, bransch, дејност, отрасль`),
}

/** Headers that end with these words after others: `GICS Sector`, `Work phone`. */
export const ENDINGS: Partial<Record<ColumnField, readonly string[]>> = {
  email: names('email, e mail, email address, e mail address'),
  phone: names('phone, phone number, telephone, mobile, telefon'),
  company: names('company name, organisation name, organization name'),
  location: names('location, city, country'),
  deal_stage: names('stage'),
  tag: names('sector, industry, sub industry, segment'),
}

function names(list: string): readonly string[] {
  return list.split(',').map((name) => name.trim().replace(/\s+/g, ' '))
}
