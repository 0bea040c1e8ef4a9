import { element, part } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { NotShown } from '../../../../../shared/ui/browser/reader/source.ts';
import { showText } from '../../../../../shared/ui/browser/reader/text.ts';
import { readerTexts } from '../../../../../shared/ui/browser/reader/words.ts';

// Shows the file of a job where it is opened. A remittance is text, so that nothing for PDFs is loaded.
const section = part('approval-file', HTMLDetailsElement);
const words = readerTexts(language);

section.addEventListener('toggle', async () => {
  const { address = '', bytes, shown } = section.dataset;
  if (!section.open || shown !== undefined) return;
  section.dataset.shown = '';
  const status = element('p', { className: 'faint', with: { role: 'status' } }, words.loading);
  section.append(status);
  try {
    const view = await showText({ kind: 'text', content: { address }, bytes: Number(bytes) });
    status.replaceWith(view);
  } catch (error) {
    status.textContent = error instanceof NotShown ? error.message : words.notLoaded;
    delete section.dataset.shown;
  }
});
