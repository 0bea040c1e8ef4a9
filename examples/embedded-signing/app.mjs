import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const SIGNER = { name: 'Ana Souza', identifier: '52998224725' };
const SCRIPT = readFileSync(new URL('./page.mjs', import.meta.url));
const CONTRACT = 'Contrato de teste / Sample contract\n';

/** The application: a page that shows a signing page in a frame. The key stays on this server. */
export function createApp({ url, key }) {
  const { origin } = new URL(url);
  const headers = {
    'cache-control': 'no-store',
    // The script and the frame are the only things of another host.
    'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; connect-src 'self'; img-src data:`,
    'x-content-type-options': 'nosniff',
  };

  const ask = async (path, body) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };

  /** A document for one signer, and where they sign it in a frame. */
  async function createDocument() {
    const form = new FormData();
    form.set('file', new Blob([CONTRACT], { type: 'text/plain' }), 'contrato.txt');
    const { id } = await ask('uploads', form);
    const files = [{ id, name: 'contrato.txt', displayName: 'Contrato', contentType: 'text/plain' }];
    const flowActions = [{ type: 'Signer', user: SIGNER }];
    const [{ documentId }] = await ask('documents', { files, flowActions });
    return ask(`documents/${documentId}/action-url`, { identifier: SIGNER.identifier });
  }

  return createServer(async (request, response) => {
    const send = (status, type, body) =>
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    try {
      if (request.url === '/page.mjs') send(200, 'text/javascript; charset=utf-8', SCRIPT);
      else if (request.url === '/document' && request.method === 'POST')
        send(200, 'application/json', JSON.stringify(await createDocument()));
      else if (request.url === '/') send(200, 'text/html; charset=utf-8', pageFor(url));
      else send(404, 'text/plain', 'There is nothing here.');
    } catch (error) {
      console.error(error.message);
      send(502, 'text/plain', 'Sinete could not be asked. Does npm start run?');
    }
  });
}

const pageFor = (url) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>An application that asks for a signature</title>
<script type="module" src="page.mjs"></script>
<main data-script="${url}/embed.js">
<h1>An application that asks for a signature</h1>
<p><button id="sign" type="button">Sign the contract</button></p>
<p>What the frame said:</p>
<ol id="events"></ol>
</main>
</html>
`;
