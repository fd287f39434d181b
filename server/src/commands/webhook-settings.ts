/** What the webhook commands need of the settings. */
import { type Config, ConfigError } from '../config.ts'
import { type AddressGuard, createAddressGuard } from '../outgoing/address-guard.ts'

/** @throws ConfigError when what is allowed cannot be read */
export function guardOf({ webhooks }: Config): AddressGuard {
  try {
    return createAddressGuard(webhooks.allow)
  } catch (err) {
    if (err instanceof RangeError) throw new ConfigError([`KITH_WEBHOOK_ALLOW: ${err.message}`])
    throw err
  }
}
