import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../http/errors.ts'
import { parseMap } from './map-text.ts'
import { mapColumns } from './mapping.ts'

const GUESSES: [header: string, fields: string, ...rows: string[]][] = [
  [
    'full_name|company|email|phone|location|deal_stage|deal_value|label|tags',
    'full_name|company|email|phone|location|deal_stage|deal_value|label|tags',
  ],
  [
    'Symbol|Security|GICS Sector|GICS Sub-Industry|Headquarters Location|Date added|CIK|Founded',
    '-|company|tag|tag|location|-|-|-',
  ],
  ['First Name|Last Name|Account|E-Mail|Mobile', 'first_name|last_name|company|email|phone'],
  ['Name|Organisation|E-mail Address|Tel.|City|Country', 'full_name|company|email|phone|location|location'],
  ['firstName|lastName|companyName|phoneNumber', 'first_name|last_name|company|phone'],
  ['Vorname|Name|Firma|E-Mail-Adresse|Telefon|Ort', 'first_name|last_name|company|email|phone|location'],
  ['Prénom|Nom|Société|Courriel|Téléphone|Ville', 'first_name|last_name|company|email|phone|location'],
  [
    'Nombre|Empresa|Correo electrónico|Teléfono|Ciudad|Etapa|Importe',
    'full_name|company|email|phone|location|deal_stage|deal_value',
  ],
  ['Naam|Bedrijf|E-mailadres|Telefoonnummer|Plaats', 'full_name|company|email|phone|location'],
  ['Име|Компанија|Телефон|Град', 'full_name|company|phone|location'],
  ['Contact|Work phone|Mobile phone|Billing city', 'full_name|-|phone|location'],
  ['Name|Location|City|Country', 'full_name|location|-|-'],
  ['Name|E-mail|Work e-mail', 'full_name|email|-'],
  ['Who|Contact details|Company', '-|email|company', 'Ada|ada@example.com|Acme', 'Eve|eve@example.com|'],
  ['Name|Reach', 'full_name|phone', 'Ada|+44 20 7946 0000'],
  ['Name|Status', 'full_name|deal_stage', 'Ada|Won', 'Eve|lead'],
  ['Name|Status', 'full_name|-', 'Ada|active', 'Eve|lead', 'Bob|gone'],
  ['Company|File name|Product name|User name|Account number', 'company|-|-|-|-'],
]

for (const [header, fields, ...rows] of GUESSES) {
  test(`guesses ${header}${rows.length > 0 ? ` from ${rows[0]}` : ''}`, () => {
    const { columns } = mapColumns({
      header: header.split('|'),
      rows: rows.map((row) => row.split('|')),
      delimiter: ',',
    })
    assert.equal(columns.map(({ field }) => field ?? '-').join('|'), fields)
  })
}

test('the decimal mark is the one that amounts show, else the one that goes with the delimiter', () => {
  const markOf = (delimiter: string, ...amounts: string[]) =>
    mapColumns({ header: ['Name', 'Value'], rows: amounts.map((amount) => ['Ada', amount]), delimiter }).decimalMark
  assert.deepEqual([markOf(','), markOf(';'), markOf('\t', '1.234')], ['.', ',', '.'])
  assert.deepEqual([markOf(',', '1.234', '12,50'), markOf(';', '1.234', '48200.5')], [',', '.'])
})

test('what is given goes before the guess, and takes its field from other columns', () => {
  const { fields, faults } = parseMap('Second = company, "City, State=location",Email=none')
  assert.deepEqual(faults, [])
  const header = ['Company', 'Second', 'City, State', 'Email', 'Country']
  const { columns } = mapColumns({ header, rows: [], delimiter: ',' }, fields)
  assert.deepEqual(
    columns.map(({ field, by }) => [field, by]),
    [
      [null, null],
      ['company', 'given'],
      ['location', 'given'],
      [null, 'given'],
      [null, null],
    ],
  )
})

test('a map that cannot be read says which pair and why', () => {
  const { faults } = parseMap('Company,Name=fullname,Name=full_name,Name=company,=email')
  assert.deepEqual(faults.length, 4)
  assert.match(faults[0]!, /"Company" is not of the form Column=field/)
  assert.match(faults[1]!, /no field "fullname"\. Did you mean full_name\?/)
  assert.match(faults[2]!, /"Name" is given twice/)
  assert.match(faults[3]!, /"=email" is not of the form/)
})

for (const [name, header, map, message] of [
  ['a column that is not there', ['Name'], 'Nome=company', /There is no column "Nome"; there are "Name"/],
  ['a column that is there twice', ['Name', 'X', 'X'], 'X=company', /There are 2 columns "X"/],
  ['a field given twice', ['A', 'B', 'Name'], 'A=email,B=email', /email is given twice/],
  ['a file without a name', ['A', 'B'], '', /No column looks like a name/],
] as const) {
  test(`${name} is refused at map`, () => {
    assert.throws(
      () => mapColumns({ header, rows: [], delimiter: ',' }, parseMap(map).fields),
      (error) => error instanceof ApiError && error.details![0]!.path === 'map' && message.test(error.message),
    )
  })
}
