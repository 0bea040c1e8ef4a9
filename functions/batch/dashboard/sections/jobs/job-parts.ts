import { html } from 'hono/html';
import { type Cpf, maskCpf } from '../../../../../shared/taxpayer/cpf.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { renderTable } from '../../../../../shared/ui/table.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import { decisionOf, expiryOf, tallyOf } from '../../../jobs/domain/job/approval.ts';
import type { Dispatch, Job } from '../../../jobs/domain/job/job.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { badge, factList } from '../../pages/parts.ts';
import { recordedText } from '../../pages/text.ts';
import { jobWords } from './job-words.ts';
import { stateBadge } from './state-words.ts';

/** Who was asked, and what they decided. A CPF is masked. */
export function approvalSection(language: Language, { state, approval }: Job): Markup | '' {
  if (!approval) return '';
  const words = jobWords(language);
  const { approved } = tallyOf(approval);
  const expiresAtMs = state === 'AwaitingApproval' ? expiryOf(approval) : null;
  const rows = approval.approvers.map((approver) => ({
    approver,
    decision: decisionOf(approval, approver.email),
  }));
  return html`<section class="card stack" aria-labelledby="approvals"><h2 id="approvals">${words.approvals}</h2>
<p>${words.progress(approved, approval.quorum, approval.approvers.length)}</p>
${factList([
  [words.since, timeOf(language, approval.parkedAtMs)],
  [words.expires, expiresAtMs === null ? '' : timeOf(language, expiresAtMs)],
])}
${renderTable(
  [
    {
      title: words.approver,
      kind: 'file',
      cell: ({ approver }) =>
        html`<bdi>${approver.name}</bdi> <span class="faint"><bdi>${approver.email}</bdi> ${maskCpf(approver.cpf as Cpf)}</span>`,
    },
    {
      title: words.decision,
      kind: 'text',
      cell: ({ decision }) =>
        decision
          ? badge(words[decision.verdict], decision.verdict === 'approved' ? 'good' : 'bad')
          : words.undecided,
    },
    {
      title: words.decidedAt,
      kind: 'text',
      cell: ({ decision }) => (decision ? timeOf(language, decision.decidedAtMs) : ''),
    },
    {
      title: words.reason,
      kind: 'wide',
      cell: ({ decision }) => (decision?.reason ? html`<bdi>${decision.reason}</bdi>` : ''),
    },
  ],
  rows,
)}</section>`;
}

/** The document that the external service signs, or of whose folder it is. */
export function documentSection(language: Language, job: Job): Markup | '' {
  const { dispatch, folderDocument } = job;
  if (!dispatch && !folderDocument) return '';
  const words = jobWords(language);
  const code = (text: string | null | undefined): Markup | '' => (text ? html`<code>${text}</code>` : '');
  const facts = folderDocument
    ? ([
        [words.documentId, code(folderDocument.documentId)],
        [words.signerFolder, code(folderDocument.folderId)],
        [
          words.documentState,
          folderDocument.keyReachedAtMs === null
            ? words.keyUnused
            : html`${words.keyUsed}: ${timeOf(language, folderDocument.keyReachedAtMs)}`,
        ],
        [words.signers, folderDocument.cpf ? maskCpf(folderDocument.cpf as Cpf) : ''],
      ] as const)
    : dispatch
      ? dispatchFacts(language, job, dispatch)
      : [];
  return html`<section class="card stack" aria-labelledby="document"><h2 id="document">${words.document}</h2>
${factList(facts)}</section>`;
}

function dispatchFacts(language: Language, { state }: Job, dispatch: Dispatch) {
  const words = jobWords(language);
  const { documentId, waitingSinceMs, failedPolls, cpfs } = dispatch;
  return [
    [words.documentId, documentId ? html`<code>${documentId}</code>` : ''],
    [words.documentState, words[stateOf(state, dispatch)]],
    [words.waitingSince, waitingSinceMs === null ? '' : timeOf(language, waitingSinceMs)],
    [words.signers, cpfs.map((cpf) => maskCpf(cpf as Cpf)).join(', ')],
    [words.failedPolls, failedPolls > 0 ? formatCount(language, failedPolls) : ''],
  ] as const;
}

function stateOf(state: Job['state'], { isCanceledThere, documentId }: Dispatch) {
  if (isCanceledThere !== null) return isCanceledThere ? 'canceledThere' : 'notCanceledThere';
  if (jobStates.isTerminal(state)) return 'ended';
  return documentId === null ? 'creating' : 'waiting';
}

/** Every step of the job, the newest first. */
export function historySection(language: Language, { history }: Job): Markup {
  const words = jobWords(language);
  return html`<section class="stack" aria-labelledby="history"><h2 id="history">${words.history}</h2>
${renderTable(
  [
    {
      title: words.time,
      kind: 'text',
      cell: ({ timestamp }) => timeOf(language, Date.parse(timestamp), 'medium'),
    },
    { title: words.status, kind: 'text', cell: ({ status }) => stateBadge(language, status) },
    {
      title: words.message,
      kind: 'wide',
      cell: ({ message, said }) => recordedText(language, said ?? message),
    },
  ],
  history.toReversed(),
)}</section>`;
}
