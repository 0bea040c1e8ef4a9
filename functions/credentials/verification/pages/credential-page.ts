import { html } from 'hono/html';
import { check, clock, cross, question } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import type { CheckedFile } from '../domain/check-files.ts';
import type { PublicCredential } from '../domain/find-credential.ts';
import { verificationPage } from './frame.ts';
import { signaturesSection } from './signatures-section.ts';
import { credentialWords, lookupWords } from './words.ts';

const LONG = { date: 'long' } as const;

/** One credential: how it stands, what it is, and its signatures. */
export function credentialPage(language: Language, credential: PublicCredential, nowMs: number) {
  const words = credentialWords(language);
  const kind = words[credential.kind];
  const body = html`<div class="intro">
<p class="faint">${lookupWords(language).service}</p>
<h1>${kind}</h1>
</div>
${banner(language, credential)}
${factsCard(language, credential)}
${signaturesSection(language, credential.files)}
<p class="faint">${words.checkedAt} ${timeOf(language, nowMs, LONG)}. ${words.times}</p>
<p><a class="button quiet" href="../verify?lang=${language}">${words.another}</a></p>`;
  return verificationPage({
    title: `${kind}: ${credential.studentName}`,
    preview: { title: kind, description: words.previewText },
    ...{ language, body, root: '..' },
  });
}

type Banner = {
  /** The class of its colours. */
  readonly tone: 'valid' | 'invalid' | 'undetermined';
  readonly icon: Markup;
  readonly title: string;
  readonly text: string;
};

/** What the institution says comes first, and is called valid only where the signatures say so too. */
function bannerOf(language: Language, { standing, files }: PublicCredential): Banner {
  const words = credentialWords(language);
  const [title, text] = [words[standing], words[`${standing}Text`]];
  if (standing === 'waiting' || standing === 'suspended')
    return { tone: 'undetermined', icon: clock, title, text };
  if (standing === 'annulled') return { tone: 'invalid', icon: cross, title, text };
  const has = (outcome: CheckedFile['outcome']) => files.some((file) => file.outcome === outcome);
  if (has('invalid'))
    return { tone: 'invalid', icon: cross, title: words.unreliable, text: words.unreliableText };
  if (files.length > 0 && files.every(({ outcome }) => outcome === 'valid'))
    return { tone: 'valid', icon: check, title, text };
  return { tone: 'undetermined', icon: question, title: words.unconfirmed, text: words.unconfirmedText };
}

function banner(language: Language, credential: PublicCredential): Markup {
  const words = credentialWords(language);
  const { tone, icon, title, text } = bannerOf(language, credential);
  const { reason, cancellationReason } = credential;
  // Texts of institutions are theirs: in their language, and in quotation marks where they are sentences.
  return html`<div class="result ${tone}"><div class="banner">
<span class="mark">${icon}</span>
<div>
<h2>${title}</h2>
<p>${text}</p>
${cancellationReason ? html`<p><strong>${words.cancellationReason}:</strong> <bdi lang="pt-BR">${cancellationReason}</bdi></p>` : ''}
${reason ? html`<p><strong>${words.reason}:</strong> <q><bdi>${reason}</bdi></q></p>` : ''}
</div>
</div></div>`;
}

function factsCard(language: Language, credential: PublicCredential): Markup {
  const words = credentialWords(language);
  const { createdAtMs, concludedAtMs, changedAtMs, type } = credential;
  const rows: readonly (readonly [name: string, value: Markup | string | null])[] = [
    [words.student, credential.studentName],
    ['CPF', credential.studentCpf],
    [words.course, credential.course],
    [words.type, type && words[type]],
    [words.issuer, credential.issuingIes],
    [words.registrar, credential.registeringIes],
    [words.created, timeOf(language, createdAtMs, LONG)],
    [words.concluded, concludedAtMs === null ? null : timeOf(language, concludedAtMs, LONG)],
    [words.changed, timeOf(language, changedAtMs, LONG)],
    [words.code, html`<code>${credential.code}</code>`],
  ];
  return html`<section class="card" aria-labelledby="about">
<h2 id="about">${words.about}</h2>
<dl class="facts">${rows.map(([name, value]) =>
    value === null ? '' : html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`,
  )}</dl>
</section>`;
}
