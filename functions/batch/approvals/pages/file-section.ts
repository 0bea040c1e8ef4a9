import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import type { JobView } from './job-view.ts';
import { portalPath } from './portal-frame.ts';

const fileWords = translations({
  title: { en: 'Read the file as it is', 'pt-BR': 'Ler o arquivo como ele é' },
  needsScript: {
    en: 'To read it here, turn JavaScript on and reload the page, or download it.',
    'pt-BR': 'Para ler aqui, ative o JavaScript e recarregue a página, ou baixe-o.',
  },
});

type ShownFile = Pick<JobView, 'language' | 'job' | 'payments'>;

/** The script of the section, for a page that shows it. */
export const fileScripts = ({ payments }: ShownFile): string[] =>
  payments.outcome === 'listed' ? [assetUrl(basePath(), 'batch-approval-file.js')] : [];

/** The file itself, which is text: every character that will be signed. It is loaded when somebody opens it. */
export function fileSection({ language, job, payments }: ShownFile): Markup | '' {
  if (payments.outcome !== 'listed') return '';
  const words = fileWords(language);
  const address = portalPath(`jobs/${job.id}/file`);
  return html`<details class="card approval-file" id="approval-file" data-address="${address}" data-bytes="${job.staged?.length ?? 0}">
<summary>${words.title}</summary>
<noscript><p class="note">${words.needsScript}</p></noscript>
</details>`;
}
