/** Small programs that verify what is signed with one secret, to begin with. The whole story is in docs/receivers. */

export interface Verifier {
  id: 'node' | 'python' | 'shell'
  title: string
  /** The program with the secret in it. */
  text: string
}

/** @param secret as displayed, `whsec_` and base64: none of its characters means anything in the three languages */
export function verifiersFor(secret: string): Verifier[] {
  return [
    { id: 'node', title: 'Node', text: node(secret) },
    { id: 'python', title: 'Python', text: python(secret) },
    { id: 'shell', title: 'Shell', text: shell(secret) },
  ]
}

const node = (secret: string) => `// receiver.mjs: PORT=8090 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const secret = '${secret}'

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(body).digest('hex'))
  const given = Buffer.from(request.headers['x-service-signature'] ?? '')
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
  if (isGenuine) console.log(JSON.parse(body))
  response.writeHead(isGenuine ? 204 : 401).end()
})
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => {
  console.log('Listening on port ' + server.address().port)
})
`

const python = (secret: string) => `# receiver.py: PORT=8090 python3 receiver.py
import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = b"${secret}"

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        given = self.headers.get("x-service-signature", "")
        is_genuine = hmac.compare_digest(given.encode(), expected.encode())
        if is_genuine:
            print(json.loads(body), flush=True)
        self.send_response(204 if is_genuine else 401)
        self.end_headers()

server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Receiver)
print("Listening on port", server.server_port, flush=True)
server.serve_forever()
`

const shell = (secret: string) => `# sh verify.sh body.json 'sha256=…'
# body.json holds the body's bytes as they came; the second is the header X-Service-Signature.
expected="sha256=$(openssl dgst -sha256 -hmac '${secret}' -r < "$1" | cut -d ' ' -f 1)"
if [ "$expected" = "$2" ]; then echo genuine; else echo forged; exit 1; fi
`
