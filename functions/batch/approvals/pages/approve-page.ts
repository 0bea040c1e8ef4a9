import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import type { Verdict } from '../../jobs/domain/job/approval.ts';
import { MAX_REASON_CHARACTERS } from '../../reason.ts';
import { settings } from '../../settings.ts';
import { portalPage, portalPath } from './portal-frame.ts';
import { refusalText } from './refusal-words.ts';

const words = translations({
  title: { en: 'Decide on a payment file', 'pt-BR': 'Decidir sobre um arquivo de pagamento' },
  intro: {
    en: 'Give the address by which you are known as an approver. This page does not show the file: your own link opens the approver portal, where you see what is paid.',
    'pt-BR':
      'Informe o endereço pelo qual você é conhecido como aprovador. Esta página não mostra o arquivo: o seu link abre o portal de aprovações, onde você vê o que é pago.',
  },
  email: { en: 'Your e-mail address', 'pt-BR': 'Seu endereço de e-mail' },
  decision: { en: 'Your decision', 'pt-BR': 'Sua decisão' },
  approved: { en: 'I approve the file', 'pt-BR': 'Aprovo o arquivo' },
  rejected: { en: 'I reject the file', 'pt-BR': 'Rejeito o arquivo' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  reasonHint: {
    en: (max: number) => `Optional. Up to ${max} characters.`,
    'pt-BR': (max: number) => `Opcional. Até ${max} caracteres.`,
  },
  send: { en: 'Send the decision', 'pt-BR': 'Enviar a decisão' },
  final: { en: 'A decision is final.', 'pt-BR': 'A decisão é definitiva.' },
  inPortal: {
    en: 'Decisions are made in the approver portal, with a code of your second factor.',
    'pt-BR': 'As decisões são tomadas no portal de aprovações, com um código do seu segundo fator.',
  },
  toPortal: { en: 'Open the approver portal', 'pt-BR': 'Abrir o portal de aprovações' },
  recorded: { en: 'Your decision was recorded', 'pt-BR': 'Sua decisão foi registrada' },
  approvals: {
    en: (approved: number, required: number) => `The file has ${approved} of ${required} approvals.`,
    'pt-BR': (approved: number, required: number) => `O arquivo tem ${approved} de ${required} aprovações.`,
  },
  terminated: { en: 'The file will not be signed.', 'pt-BR': 'O arquivo não será assinado.' },
  notFound: {
    en: 'There is no file at this address. Check that it is complete.',
    'pt-BR': 'Não há arquivo neste endereço. Confira se ele está completo.',
  },
});

type ApproveView = {
  readonly language: Language;
  /** As it is in the address of the page: of a job, or not. */
  readonly id: string;
  /** The form that was sent, and why it was not accepted. */
  readonly refused?: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
    readonly email: string;
    readonly decision: string;
    readonly reason: string;
  };
};

const pathOf = (id: string): string => `${basePath()}/approve/${encodeURIComponent(id)}`;

/** A form for whoever knows the id of a job. It is the same for any id: it never looks at the job. */
export function approvePage(view: ApproveView) {
  const { language, id, refused } = view;
  const own = words(language);
  const isInPortal = settings['ApproverSecondFactor:Enabled'];
  return portalPage({
    title: own.title,
    language,
    path: pathOf(id),
    status: refused?.status ?? 200,
    body: html`<div class="card notice">
<h1>${own.title}</h1>
${refused && !isInPortal ? html`<div class="problem" id="problem" role="alert"><p>${problemText(view)}</p></div>` : ''}
${
  isInPortal
    ? html`<p>${own.inPortal}</p>
<a class="button wide" href="${portalPath()}">${own.toPortal}</a>`
    : form(view)
}
</div>`,
  });
}

// Codes about the reason or the address are told at their field; the other ones above the form.
const FIELDS: Readonly<Record<string, 'email' | 'reason'>> = {
  'approval.unknown-approver': 'email',
  'validation.reason-too-long': 'reason',
};

function form({ language, id, refused }: ApproveView): Markup {
  const own = words(language);
  const invalid = (field: 'email' | 'reason') =>
    refused && FIELDS[refused.code] === field ? html` aria-invalid="true"` : '';
  const describedBy = refused ? html` aria-describedby="problem"` : '';
  const choice = (verdict: Verdict) =>
    html`<label class="choice"><input type="radio" name="decision" value="${verdict}" required${refused?.decision === verdict ? html` checked` : ''}> ${own[verdict]}</label>`;
  return html`<p>${own.intro}</p>
<form class="decide" method="post" action="${basePath()}/api/approvals/${encodeURIComponent(id)}?lang=${language}">
<div class="field">
<label for="email">${own.email}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="1000" required value="${refused?.email ?? ''}"${invalid('email')}${describedBy}>
</div>
<fieldset><legend>${own.decision}</legend>
${choice('approved')}
${choice('rejected')}
</fieldset>
<div class="field">
<label for="reason">${own.reason}</label>
<textarea id="reason" name="reason" maxlength="${MAX_REASON_CHARACTERS}" aria-describedby="reason-hint"${invalid('reason')}>
${refused?.reason ?? ''}</textarea>
<p class="faint" id="reason-hint">${own.reasonHint(MAX_REASON_CHARACTERS)}</p>
</div>
<button class="button wide">${own.send}</button>
<p class="faint">${own.final}</p>
</form>`;
}

function problemText({ language, refused }: ApproveView): string {
  const { code = '', message = '' } = refused ?? {};
  return code === 'job.not-found' ? words(language).notFound : (refusalText(language, code) ?? message);
}

type RecordedView = {
  readonly language: Language;
  readonly id: string;
  readonly verdict: Verdict;
  readonly approved: number;
  readonly required: number;
};

/** The answer to a form that was accepted. It tells what a program is told. */
export function recordedPage({ language, id, verdict, approved, required }: RecordedView) {
  const own = words(language);
  return portalPage({
    title: own.recorded,
    language,
    path: pathOf(id),
    status: 201,
    body: html`<div class="card notice" role="status">
<h1>${own.recorded}</h1>
<p>${verdict === 'approved' ? own.approvals(approved, required) : own.terminated}</p>
</div>`,
  });
}
