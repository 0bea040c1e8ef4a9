import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { badge, factList, givenText } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { readSignatures } from '../../../domain/verification/signers.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { documentWords } from './document-words.ts';

/** Who signed a document, and whether each signature is valid: the file is verified as it is now. */
export async function signaturesPage(visit: Visit, id: string): Promise<Answer> {
  const { language, caller, nowMs } = visit;
  const words = documentWords(language);
  const { name, signers } = await readSignatures(caller, id, nowMs);
  return memberPage(visit, {
    title: words.signatures,
    current: 'documents',
    styles: ['documents-following.css'],
    body: html`<h1>${words.signatures}: ${givenText(name)}</h1>
${signers.length === 0 ? html`<p class="note">${words.noSignatures}</p>` : ''}
${signers.map(
  ({
    subjectName,
    companyName,
    issuerName,
    signingTime,
    isSeal,
    validationResults: { isValid, errors: found },
  }) => html`<section class="card stack">
<p>${badge(isValid ? words.valid : words.invalid, isValid ? 'good' : 'bad')}</p>
${factList([
  isSeal
    ? [words.seal, givenText(companyName ?? subjectName ?? '')]
    : [words.signer, givenText(subjectName ?? '')],
  [words.issuer, givenText(issuerName ?? '')],
  [words.signedAt, signingTime ? timeOf(language, Date.parse(signingTime)) : ''],
])}
${isSeal ? html`<p class="faint">${words.sealExplained}</p>` : ''}
${found.length === 0 ? '' : html`<ul class="plain" lang="en">${found.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
</section>`,
)}
<p><a class="button quiet" href="${consolePath(`documents/${id}`)}">${words.back}</a></p>`,
  });
}
