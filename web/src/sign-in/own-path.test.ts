import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

test('a path of ours is gone back to, with all that stands behind it', () => {
  for (const path of [
    '/',
    '/contacts',
    '/contacts?q=a%2Fb&stage=won',
    '/settings/members',
    '/contacts/1?tab=2#notes',
  ]) {
    assert.equal(ownPath(path), path)
  }
})

test('nothing that could lead to another host is followed', () => {
  for (const text of [
    undefined,
    '',
    'contacts',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    'https:evil.example',
    'https://evil.example/contacts',
    'HTTPS://evil.example',
    'javascript:alert(1)',
    'data:text/html,a',
    ' //evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/contacts\r\nlocation: //evil.example',
    '/\u0000/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/contacts\\..\\..//evil.example',
  ]) {
    assert.equal(ownPath(text), '/', JSON.stringify(text))
  }
})

test('nobody is sent back to where one signs in, or to the server’s own doors', () => {
  for (const path of [
    '/sign-in',
    '/sign-in?to=/sign-in',
    '/setup',
    '/reset#a',
    '/invitation',
    '/ui/sign-out',
    '/api/v1',
  ]) {
    assert.equal(ownPath(path), '/', path)
  }
})
