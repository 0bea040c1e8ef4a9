import { html } from 'hono/html';
import { MANUAL } from '../../../../shared/settings/settings.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { hasIdentityProvider } from '../../auth/domain/provider-login.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import type { Verdict } from '../../jobs/domain/job/approval.ts';
import { MAX_REASON_CHARACTERS } from '../../jobs/reason.ts';
import { settings } from '../../settings.ts';
import { portalPage, portalPath } from './portal-frame.ts';
import { refusalText } from './refusals.ts';

const words = translations({
  title: { en: 'Decide on a payment file', 'pt-BR': 'Decidir sobre um arquivo de pagamento' },
  unseen: {
    en: 'This page shows nothing of the file. Decide here only on a file that you know.',
    'pt-BR': 'Esta página não mostra nada do arquivo. Decida aqui somente sobre um arquivo que você conhece.',
  },
  email: { en: 'Your e-mail address', 'pt-BR': 'Seu endereço de e-mail' },
  emailHint: {
    en: 'The one by which you are an approver of this file.',
    'pt-BR': 'Aquele pelo qual você é aprovador deste arquivo.',
  },
  decision: { en: 'Your decision', 'pt-BR': 'Sua decisão' },
  approve: { en: 'Approve: the file may be signed', 'pt-BR': 'Aprovar: o arquivo pode ser assinado' },
  reject: { en: 'Reject: the file is not signed', 'pt-BR': 'Rejeitar: o arquivo não é assinado' },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
  reasonHint: {
    en: (max: number) => `For a rejection: why. Up to ${max} characters, for whoever sent the file.`,
    'pt-BR': (max: number) => `Na rejeição: por quê. Até ${max} caracteres, para quem enviou o arquivo.`,
  },
  record: { en: 'Record the decision', 'pt-BR': 'Registrar a decisão' },
  final: { en: 'A decision is final.', 'pt-BR': 'Uma decisão é definitiva.' },
  inPortal: {
    en: 'You decide in the approver portal, where you see what the file pays. Open it by the link that you were sent.',
    'pt-BR':
      'Você decide no portal de aprovações, onde vê o que o arquivo paga. Abra-o pelo link que recebeu.',
  },
  noPortal: {
    en: 'Nobody can sign in to the approver portal yet. Ask whoever runs this service to set up personal links or the sign-in of your organization.',
    'pt-BR':
      'Ninguém pode entrar no portal de aprovações ainda. Peça a quem administra este serviço que configure links pessoais ou a entrada pela sua organização.',
  },
  toPortal: { en: 'See the file and decide', 'pt-BR': 'Ver o arquivo e decidir' },
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
  /** A decision that was sent, and why it was not accepted. */
  readonly refused?: { readonly code: string; readonly status: number; readonly message: string };
};

const pathOf = (id: string): string => `${basePath()}/approve/${encodeURIComponent(id)}`;

/**
 * The page of a job for whoever knows its id: a decision by the address of an approver, and the way to the portal, which
 * shows the file. With a second factor decisions are made in the portal alone. An anonymous page may show nothing of a
 * job, so it is the same for any id: it never looks at the job.
 */
export function approvePage({ language, id, refused }: ApproveView) {
  const own = words(language);
  const hasPortal = settings[MANUAL].isSet('ApproverPortal:LinkSecret') || hasIdentityProvider();
  const isInPortal = settings['ApproverSecondFactor:Enabled'];
  const way = isInPortal ? '' : 'quiet ';
  return portalPage({
    title: own.title,
    language,
    path: pathOf(id),
    status: refused?.status ?? 200,
    body: html`<div class="card notice">
<h1>${own.title}</h1>
${refused ? html`<div class="problem" role="alert"><p>${problemText(language, refused)}</p></div>` : ''}
<p>${isInPortal ? (hasPortal ? own.inPortal : own.noPortal) : own.unseen}</p>
${hasPortal ? html`<a class="button ${way}wide" href="${portalPath(`jobs/${encodeURIComponent(id)}`)}">${own.toPortal}</a>` : ''}
${isInPortal ? '' : decisionForm(language, id)}
</div>`,
  });
}

// Neither decision is chosen beforehand: Enter in a field records none.
function decisionForm(language: Language, id: string): Markup {
  const own = words(language);
  const choice = (verdict: Verdict, text: string): Markup =>
    html`<label class="way"><input type="radio" name="decision" value="${verdict}" required><span>${text}</span></label>`;
  return html`<form class="form" method="post" action="${basePath()}/api/approvals/${encodeURIComponent(id)}">
<div class="field">
<label for="email">${own.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required aria-describedby="email-hint">
<p class="faint" id="email-hint">${own.emailHint}</p>
</div>
<fieldset class="ways">
<legend>${own.decision}</legend>
${choice('approved', own.approve)}
${choice('rejected', own.reject)}
</fieldset>
<div class="field">
<label for="reason">${own.reason}</label>
<textarea id="reason" name="reason" maxlength="${MAX_REASON_CHARACTERS}" aria-describedby="reason-hint"></textarea>
<p class="faint" id="reason-hint">${own.reasonHint(MAX_REASON_CHARACTERS)}</p>
</div>
<button class="button wide">${own.record}</button>
<p class="faint">${own.final}</p>
</form>`;
}

const problemText = (language: Language, { code, message }: NonNullable<ApproveView['refused']>): string =>
  code === 'job.not-found' ? words(language).notFound : (refusalText(language, code) ?? message);

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
