import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, isOutdated, isPassword } from './password.ts'

const PASSWORD = 'a password of its own'

test('a password is stored as argon2id with m >= 19 MiB, t >= 2, p = 1, its parameters and a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
  const [, kind, version, costs, salt, hash] = one.split('$')
  assert.deepEqual([kind, version], ['argon2id', 'v=19'])
  const [, memoryKib, passes, parallelism] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(costs!)!.map(Number)
  assert.ok(memoryKib! >= 19 * 1024 && passes! >= 2 && parallelism === 1)
  assert.deepEqual([Buffer.from(salt!, 'base64').length, Buffer.from(hash!, 'base64').length], [16, 32])
  assert.notEqual(one, other)
})

test('a password fits its own hash alone, exactly as sent', async () => {
  const stored = await hashPassword(` ${PASSWORD} é`)
  assert.equal(await isPassword(` ${PASSWORD} é`, stored), true)
  for (const other of [`${PASSWORD} é`, ` ${PASSWORD} e\u0301`, ` ${PASSWORD} É`, '']) {
    assert.equal(await isPassword(other, stored), false, JSON.stringify(other))
  }
})

test('nobody has a password, and that takes as long to say', async () => {
  assert.equal(await isPassword(PASSWORD, undefined), false)
  const stored = await hashPassword(PASSWORD)
  const [unknown, wrong] = [[] as number[], [] as number[]]
  for (let i = 0; i < 7; i++) {
    unknown.push(await msOf(() => isPassword('wrong password', undefined)))
    wrong.push(await msOf(() => isPassword('wrong password', stored)))
  }
  const ratio = median(unknown) / median(wrong)
  assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio}`)
})

test('a hash with other parameters than today is outdated, and still fits', async () => {
  const salt = Buffer.alloc(16, 7)
  const parameters = { message: PASSWORD, nonce: salt, parallelism: 1, tagLength: 32, memory: 19_456, passes: 3 }
  const hash = argon2Sync('argon2id', parameters).toString('base64').replace(/=+$/, '')
  const stored = `$argon2id$v=19$m=19456,t=3,p=1$${salt.toString('base64').replace(/=+$/, '')}$${hash}`
  assert.equal(isOutdated(stored), true)
  assert.equal(await isPassword(PASSWORD, stored), true)
  assert.equal(isOutdated(await hashPassword(PASSWORD)), false)
})

test('what is no hash is an error, not a password', async () => {
  for (const stored of ['', 'plain', '$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA']) {
    await assert.rejects(isPassword(PASSWORD, stored), /not readable/)
  }
})

test('4 hashes run at once, 100 wait, and one more is unavailable', async () => {
  const started = Array.from({ length: 104 }, (_, i) => hashPassword(`password number ${i}`))
  await assert.rejects(hashPassword('one too many'), { code: 'unavailable' })
  const hashes = await Promise.all(started)
  assert.equal(new Set(hashes).size, 104)
  assert.match(await hashPassword('there is room again'), /^\$argon2id/)
})

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
