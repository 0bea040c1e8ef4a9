import { html } from 'hono/html';
import { MANUAL } from '../../../../shared/settings/settings.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { hasIdentityProvider } from '../../auth/domain/provider-login.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import type { Verdict } from '../../jobs/domain/job/approval.ts';
import { settings } from '../../settings.ts';
import { portalPage, portalPath } from './portal-frame.ts';
import { refusalText } from './refusals.ts';

const words = translations({
  title: { en: 'Decide on a payment file', 'pt-BR': 'Decidir sobre um arquivo de pagamento' },
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
 * The page of a job for whoever knows its id. It leads to the portal: an anonymous page may show nothing of a job, and
 * nobody is offered a decision on payments that they do not see. It is the same for any id: it never looks at the job.
 */
export function approvePage({ language, id, refused }: ApproveView) {
  const own = words(language);
  const hasPortal = settings[MANUAL].isSet('ApproverPortal:LinkSecret') || hasIdentityProvider();
  return portalPage({
    title: own.title,
    language,
    path: pathOf(id),
    status: refused?.status ?? 200,
    body: html`<div class="card notice">
<h1>${own.title}</h1>
${refused ? html`<div class="problem" role="alert"><p>${problemText(language, refused)}</p></div>` : ''}
<p>${hasPortal ? own.inPortal : own.noPortal}</p>
${hasPortal ? html`<a class="button wide" href="${portalPath(`jobs/${encodeURIComponent(id)}`)}">${own.toPortal}</a>` : ''}
</div>`,
  });
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
