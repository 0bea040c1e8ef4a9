import { html } from 'hono/html';
import { check, clock, cross, question } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { reasonWords } from '../../../../shared/ui/reason-words.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import type { CheckedFile, CheckedSignature } from '../domain/check-files.ts';
import { credentialWords } from './words.ts';

/** Every signed file with its signatures, as our verifier finds them. */
export function signaturesSection(language: Language, files: readonly CheckedFile[]): Markup {
  const words = credentialWords(language);
  return html`<section class="signatures" aria-labelledby="signatures">
<h2 id="signatures">${words.signatures}</h2>
${files.map((file) => fileCard(language, file))}
</section>`;
}

const ICONS = {
  valid: check,
  invalid: cross,
  undetermined: question,
  unchecked: question,
  unsigned: clock,
} as const;

function fileCard(language: Language, { name, outcome, reasons, signatures }: CheckedFile): Markup {
  const words = credentialWords(language);
  const said = {
    valid: words.fileValid,
    invalid: words.fileInvalid,
    undetermined: words.fileUndetermined,
    unchecked: words.fileUnchecked,
    unsigned: words.fileUnsigned,
  }[outcome];
  // Those of its signatures stand with them.
  const own = reasons.filter((reason) => !signatures.some((each) => each.reasons.includes(reason)));
  return html`<section class="card signature ${outcome}">
<div class="heading"><h3>${titleOf(language, name)}</h3><span class="outcome">${ICONS[outcome]} ${said}</span></div>
${outcome === 'unchecked' ? html`<p class="why">${words.uncheckedText}</p>` : ''}
${own.length > 0 ? html`<p class="why">${own.map((reason) => reasonWords(language)[reason]).join(' ')}</p>` : ''}
${signatures.length > 0 ? html`<ul class="signers">${signatures.map((each) => signerRow(language, each))}</ul>` : ''}
</section>`;
}

function titleOf(language: Language, name: string): string {
  const { diploma, 'academic-documentation': documentation, transcript } = credentialWords(language);
  return { diploma, 'academic-documentation': documentation, transcript }[name] ?? name;
}

function signerRow(language: Language, signature: CheckedSignature): Markup {
  const words = credentialWords(language);
  const { signer, cpf, time, isTimeProven, outcome, reasons } = signature;
  const said = {
    valid: words.signatureValid,
    invalid: words.signatureInvalid,
    undetermined: words.signatureUndetermined,
  }[outcome];
  return html`<li class="${outcome}">
<p><strong><bdi>${signer ?? words.unnamed}</bdi></strong>${cpf ? html` <span class="faint">CPF ${cpf}</span>` : ''}</p>
${time ? html`<p class="faint">${isTimeProven ? words.provenTime : words.claimedTime} ${timeOf(language, Date.parse(time), { date: 'long' })}</p>` : ''}
<p class="verdict">${ICONS[outcome]} ${said}</p>
${reasons.length > 0 ? html`<p class="why">${reasons.map((reason) => reasonWords(language)[reason]).join(' ')}</p>` : ''}
</li>`;
}
