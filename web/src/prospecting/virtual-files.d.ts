/** Made by build/cities-file.ts. */
declare module 'virtual:cities-url' {
  const url: string
  export default url
}
