import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where systems keep what administrators run, though the paths of other people may leave it out. */
const MORE_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin']

/** @returns the path of a program that the system has, or undefined */
export function installed(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/** For the option `skip` of a test: why it cannot run, or false. */
export function unlessInstalled(program: string): string | false {
  return installed(program) ? false : `${program} is not installed`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
