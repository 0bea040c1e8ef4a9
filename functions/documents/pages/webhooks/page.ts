import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { type WebhooksWords, webhooksWords } from './words.ts';

// The page is at /webhooks; its assets are below the same base path.
const ROOT = '.';

/** The values of the form that are known: those of the sandbox, on the local stage alone. */
type KnownAccess = { readonly key?: string; readonly organizationId?: string };

/** Renders the operators' page, empty. Its script asks for an API key and reads the REST interface with it. */
export function webhooksPage(language: Language, known: KnownAccess = {}) {
  const words = webhooksWords(language);
  const body = html`<main class="webhooks-page">
<h1>${words.title}</h1>
<p><a href="${ROOT}/console/organization/webhooks">${words.forMembers}</a></p>
<noscript><p class="problem">${words.needsScript}</p></noscript>
${connectForm(words, known)}
<p id="status-line" class="status-line" role="status"></p>
<div id="opened" class="opened" hidden>
${organizationPart(words)}
${deliveriesPart(words)}
</div>
</main>
${deliveryDialog(words)}`;
  return page({
    title: `${words.title} · Sinete`,
    language,
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
    styles: [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'documents-webhooks.css')],
    scripts: [assetUrl(ROOT, 'documents-webhooks.js')],
  });
}

const connectForm = (
  words: WebhooksWords,
  { key = '', organizationId = '' }: KnownAccess,
): Markup => html`<form id="connect" class="card form" hidden>
<p>${words.intro}</p>
<div class="field">
<label for="key">${words.apiKey}</label>
<input id="key" type="password" value="${key}" required autocomplete="off" spellcheck="false" aria-describedby="key-hint">
<p id="key-hint" class="faint">${words.apiKeyHint}</p>
</div>
<div class="field">
<label for="organization-id">${words.organizationId}</label>
<input id="organization-id" value="${organizationId}" required autocomplete="off" spellcheck="false">
</div>
<button id="open" type="submit" class="button">${words.open}</button>
</form>`;

const organizationPart = (
  words: WebhooksWords,
): Markup => html`<section class="card" aria-labelledby="organization-name">
<div class="heading">
<div><h2 id="organization-name"></h2><p id="organization-facts" class="faint"></p></div>
<button id="forget" type="button" class="button quiet">${words.forget}</button>
</div>
<h3>${words.webhooks}</h3>
<ul id="webhooks" class="webhooks"></ul>
<p id="webhooks-none" hidden></p>
</section>`;

const deliveriesPart = (
  words: WebhooksWords,
): Markup => html`<section id="deliveries" class="card" aria-labelledby="deliveries-title" hidden>
<div class="heading">
<h2 id="deliveries-title">${words.deliveries}</h2>
<div class="actions">
<button id="deliveries-refresh" type="button" class="button quiet">${words.refresh}</button>
<button id="send-test" type="button" class="button quiet">${words.sendTest}</button>
<button id="replay-failed" type="button" class="button quiet">${words.replayFailed}</button>
</div>
</div>
<div id="deliveries-filter" class="filter" role="group" aria-label="${words.filter}"></div>
<p id="deliveries-none" hidden>${words.none}</p>
<table id="deliveries-table" class="deliveries" hidden>
<thead><tr>
${[words.event, words.state, words.created, words.attempts, words.lastAnswer, words.nextAttempt].map(
  (heading) => html`<th scope="col">${heading}</th>`,
)}
</tr></thead>
<tbody id="deliveries-rows"></tbody>
</table>
<button id="deliveries-more" type="button" class="button quiet" hidden>${words.more}</button>
</section>`;

const deliveryDialog = (
  words: WebhooksWords,
): Markup => html`<dialog id="delivery" aria-labelledby="delivery-title">
<div class="heading">
<h2 id="delivery-title"></h2>
<button id="delivery-close" type="button" class="button quiet">${words.close}</button>
</div>
<p id="delivery-status-line" class="status-line" role="status"></p>
<dl id="delivery-facts" class="facts"></dl>
<button id="delivery-replay" type="button" class="button" hidden>${words.replay}</button>
<h3>${words.attempts}</h3>
<ol id="delivery-attempts" class="attempts"></ol>
<h3>${words.sent}</h3>
<pre id="delivery-body" tabindex="0"></pre>
</dialog>`;
