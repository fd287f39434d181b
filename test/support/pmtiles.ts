/** Makes files of map tiles as small as they can be: one vector tile, which is the whole world. */

const EXTENT = 4096
const HEAD_BYTES = 127
const NO_COMPRESSION = 1
const VECTOR = 1
const DEGREES_SCALE = 1e7

/** In parts of the tile's width and height. */
export interface TileBox {
  /** `earth`, `water`: as Protomaps names its layers. */
  layer: string
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * @param metadata such as `{ attribution: '© Somebody' }`
 * @see https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function pmtiles(boxes: TileBox[], metadata: object): Buffer {
  const tile = Buffer.concat(boxes.map((box) => field(3, layer(box))))
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1])
  const about = Buffer.from(JSON.stringify(metadata))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write('PMTiles\u0003', 'latin1')
  const lengths = [directory.length, about.length, 0, tile.length]
  let offset = HEAD_BYTES
  for (const [index, length] of lengths.entries()) {
    head.writeBigUInt64LE(BigInt(offset), 8 + index * 16)
    head.writeBigUInt64LE(BigInt(length), 16 + index * 16)
    offset += length
  }
  for (const at of [72, 80, 88]) head.writeBigUInt64LE(1n, at)
  head.set([1, NO_COMPRESSION, NO_COMPRESSION, VECTOR, 0, 0], 96)
  const bounds = [-180, -85, 180, 85]
  for (const [index, degrees] of bounds.entries()) head.writeInt32LE(degrees * DEGREES_SCALE, 102 + index * 4)
  return Buffer.concat([head, directory, about, tile])
}

/** @see https://github.com/mapbox/vector-tile-spec/tree/master/2.1 */
function layer({ layer: name, left, top, right, bottom }: TileBox): Buffer {
  const [x, y, width, height] = [left, top, right - left, bottom - top].map((part) => Math.round(part * EXTENT)) as [
    ...[number, number, number, number],
  ]
  const [move, line, close] = [(1 << 3) | 1, (3 << 3) | 2, (1 << 3) | 7]
  const steps = [x, y, width, 0, 0, height, -width, 0].map((step) => (step << 1) ^ (step >> 31))
  const geometry = [move, ...steps.slice(0, 2), line, ...steps.slice(2), close].flatMap(varint)
  const polygon = [...number(3, 3), ...field(4, Buffer.from(geometry))]
  return Buffer.concat([
    Buffer.from(number(15, 2)),
    field(1, Buffer.from(name)),
    field(2, Buffer.from(polygon)),
    Buffer.from(number(5, EXTENT)),
  ])
}

function field(tag: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint((tag << 3) | 2), ...varint(bytes.length)]), bytes])
}

function number(tag: number, value: number): number[] {
  return [...varint(tag << 3), ...varint(value)]
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
