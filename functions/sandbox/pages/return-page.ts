import { html } from 'hono/html';
import { page } from '../../../shared/ui/page.ts';

/** What a client application would be given when the user comes back to it. */
export function returnPage(query: Readonly<Record<string, unknown>>) {
  const rows = Object.entries(query).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${String(value)}</code></td></tr>`,
  );
  return page({
    title: 'Back at the client',
    language: 'en',
    body: html`<h1>Back at the client</h1>
<p>The sandbox's client application was opened with these values:</p>
<table>${rows.length > 0 ? rows : html`<tr><td>none</td></tr>`}</table>`,
  });
}
