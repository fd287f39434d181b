import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StyleSpecification } from 'maplibre-gl'
import { absoluteStyle, usesPmtiles } from './absolute-style.ts'

const BASE = 'https://crm.example.com/map/style.json'

const style = (parts: object): StyleSpecification => ({ version: 8, sources: {}, layers: [], ...parts })

test('what stands beside the style is named by its whole address, placeholders and all', () => {
  const found = absoluteStyle(
    style({
      sprite: 'sprites/light',
      glyphs: 'fonts/{fontstack}/{range}.pbf',
      sources: {
        streets: { type: 'vector', url: 'pmtiles://streets.pmtiles' },
        hills: { type: 'raster', tiles: ['./hills/{z}/{x}/{y}{ratio}.webp'], tileSize: 512 },
        shops: { type: 'geojson', data: '/map/shops.geojson' },
      },
    }),
    BASE,
  )
  assert.deepEqual(
    found,
    style({
      sprite: 'https://crm.example.com/map/sprites/light',
      glyphs: 'https://crm.example.com/map/fonts/{fontstack}/{range}.pbf',
      sources: {
        streets: { type: 'vector', url: 'pmtiles://https://crm.example.com/map/streets.pmtiles' },
        hills: { type: 'raster', tiles: ['https://crm.example.com/map/hills/{z}/{x}/{y}{ratio}.webp'], tileSize: 512 },
        shops: { type: 'geojson', data: 'https://crm.example.com/map/shops.geojson' },
      },
    }),
  )
})

test('whole addresses, data in the style and what it has not stay as they are', () => {
  const whole = style({
    sprite: [{ id: 'default', url: 'https://a.example.com/light' }],
    sources: {
      far: { type: 'vector', tiles: ['https://a.example.com/{z}/{x}/{y}.pbf?key=1'] },
      near: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    },
  })
  assert.deepEqual(absoluteStyle(whole, BASE), whole)
})

test('it is known whether a style needs the reader of PMTiles', () => {
  assert.ok(usesPmtiles(style({ sources: { a: { type: 'vector', url: 'pmtiles://a.pmtiles' } } })))
  assert.ok(
    !usesPmtiles(style({ sources: { a: { type: 'vector', url: 'a.json' }, b: { type: 'raster', tiles: [] } } })),
  )
})
