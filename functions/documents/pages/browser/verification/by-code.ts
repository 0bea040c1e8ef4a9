import { ConnectionLost, jsonAt, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { element, part } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import { codeWords } from '../../verification/code-words.ts';
import { electronicCard, type ShownElectronic } from './electronic-card.ts';
import type { ShownReport } from './report.ts';
import { banner, reportView } from './report-view.ts';

type Status = 'Pending' | 'FlowConcluded' | 'Concluded' | 'Refused' | 'Canceled' | 'Expired';

/** The response of GET /api/verification/{code}, as far as the page reads it. */
type ShownDocument = {
  readonly code: string;
  readonly name: string;
  readonly organizationName: string | null;
  readonly branding: { readonly displayName: string; readonly logoUrl: string | null } | null;
  readonly status: Status;
  readonly creationDate: string;
  readonly requiredSignatures: number;
  readonly completedSignatures: number;
  readonly hasSignedFile: boolean;
  readonly electronicSigners: readonly ShownElectronic[];
  readonly report: ShownReport | null;
};

type Target = {
  readonly showStatus: (text: string) => void;
  readonly show: (view: HTMLElement) => void;
};

const words = codeWords(language);

/** Connects the form of a code, and looks up the code that the page's address has. */
export function wireCodeForm(target: Target): void {
  const form = part('by-code', HTMLFormElement);
  const input = part('code', HTMLInputElement);
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value.trim() === '') input.focus();
    else void lookUp(input.value.trim(), target);
  });
  const given = new URLSearchParams(location.search).get('code');
  if (given === null) return;
  input.value = given;
  keepCode(given);
  void lookUp(given, target);
}

/** The same page in another language shows the same code. */
function keepCode(code: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
    link.search = `?${new URLSearchParams({ lang: link.lang, code })}`;
}

async function lookUp(code: string, { showStatus, show }: Target): Promise<void> {
  document.body.setAttribute('aria-busy', 'true');
  showStatus(words.looking);
  try {
    const address = `api/verification/${encodeURIComponent(code)}`;
    show(documentView(await jsonAt<ShownDocument>(address), address));
  } catch (error) {
    const title = problemText(error);
    show(
      element(
        'article',
        { className: 'result undetermined' },
        banner(code, { outcome: 'undetermined', title }),
      ),
    );
  }
  showStatus('');
  document.body.setAttribute('aria-busy', 'false');
  part('results', HTMLElement).querySelector('h2')?.focus();
}

function problemText(error: unknown): string {
  if (error instanceof ConnectionLost) return words.lost;
  const code = error instanceof RequestRefused ? error.code : '';
  return code === 'VerificationCodeNotFound' || code === 'TooManyRequests' ? words[code] : words.failed;
}

const OUTCOMES = {
  Pending: 'undetermined',
  FlowConcluded: 'valid',
  Concluded: 'valid',
  Refused: 'invalid',
  Canceled: 'invalid',
  Expired: 'invalid',
} as const;

/** The state of the document above the verdict on its signatures: only both together say that it can be relied on. */
function documentView(found: ShownDocument, address: string): HTMLElement {
  const { name, status, report, electronicSigners, completedSignatures: made } = found;
  const isUnjudged = report === null && (found.hasSignedFile || made > electronicSigners.length);
  const outcome = OUTCOMES[status];
  const who = found.branding?.displayName ?? found.organizationName;
  const created = formatTime(language, Date.parse(found.creationDate), { date: 'long', time: 'medium' });
  const view = element(
    'article',
    { className: `result ${outcome}` },
    banner(name, {
      ...{ outcome, title: words[status] },
      facts: [
        [...(who ? [words.sentBy(who)] : []), words.createdAt(created)].join(' · '),
        `${words.signatures(made, found.requiredSignatures)} · ${found.code}`,
      ],
      more: [
        ...(outcome === 'invalid' ? [words.notToRely] : []),
        ...(electronicSigners.length > 0 && status === 'Concluded' ? [words.sealed] : []),
        ...(isUnjudged && outcome !== 'invalid' ? [words.notJudged] : []),
      ],
    }),
  );
  const logo = found.branding?.logoUrl;
  if (logo) view.querySelector('.banner')?.append(element('img', { className: 'logo', src: logo, alt: '' }));
  if (found.hasSignedFile) view.append(downloadCard(`${address}/content`));
  view.append(...electronicSigners.map((signer) => electronicCard(signer, language)));
  if (report === null) return view;
  const judged = reportView(
    report,
    { name: report.file ?? name, sha256: undefined, atMs: Date.now() },
    language,
  );
  return element('div', { className: 'results' }, view, judged);
}

const downloadCard = (href: string): HTMLElement =>
  element(
    'div',
    { className: 'card download' },
    element('p', {}, words.compare),
    element('a', { className: 'button', href, download: '' }, words.download),
  );
