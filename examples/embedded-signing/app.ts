import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Documents } from '@sinete/client';

const SIGNER = { name: 'Ana Souza', identifier: '52998224725' };
const SCRIPT = readFileSync(new URL('./page.mjs', import.meta.url));
const CONTRACT = 'Contrato de teste / Sample contract\n';

/** The application: a page that shows a signing page in a frame. The key stays on this server. */
export function createApp({ url, key }: { readonly url: string; readonly key: string }): Server {
  const documents = new Documents({ url, key });
  const { origin } = new URL(url);
  const headers = {
    'cache-control': 'no-store',
    // The script and the frame are the only things of another host.
    'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; connect-src 'self'; img-src data:`,
    'x-content-type-options': 'nosniff',
  };

  /** A document for one signer, and where they sign it in a frame. */
  async function createDocument() {
    const upload = await documents.upload(new Blob([CONTRACT], { type: 'text/plain' }), {
      name: 'contrato.txt',
    });
    const [created] = await documents.createDocuments({
      body: {
        files: [{ id: upload, displayName: 'Contrato' }],
        flowActions: [{ type: 'Signer', user: SIGNER }],
      },
    });
    const { identifier } = SIGNER;
    return documents.createActionUrl({ id: created?.documentId ?? '', body: { identifier } });
  }

  return createServer(async (request, response) => {
    const send = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    try {
      if (request.url === '/page.mjs') send(200, 'text/javascript; charset=utf-8', SCRIPT);
      else if (request.url === '/document' && request.method === 'POST')
        send(200, 'application/json', JSON.stringify(await createDocument()));
      else if (request.url === '/') send(200, 'text/html; charset=utf-8', pageFor(url));
      else send(404, 'text/plain', 'There is nothing here.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      send(502, 'text/plain', 'Sinete could not be asked. Does npm start run?');
    }
  });
}

const pageFor = (url: string): string => `<!doctype html>
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
