import { apiAt, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { part } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { mountPlacer } from '../../../pages/browser/placing/placer.ts';
import type { PlacingData } from '../../../pages/placing-data.ts';

const words = translations({
  saved: { en: 'The marks are saved.', 'pt-BR': 'As marcas estão salvas.' },
  lost: {
    en: 'The marks are not saved yet. Check your internet and move one again.',
    'pt-BR': 'As marcas ainda não estão salvas. Verifique sua internet e mova uma de novo.',
  },
  changed: {
    en: 'Somebody else, or another window, has changed this draft meanwhile. Reload the page to go on from there.',
    'pt-BR':
      'Outra pessoa, ou outra janela, alterou este rascunho enquanto isso. Recarregue a página para seguir de lá.',
  },
})(language);

const SAVED_AFTER_MS = 400;

// The page that places the marks of a draft. They are saved as they are placed.
const holder = document.querySelector<HTMLElement>('#draft-marks');
const problem = document.querySelector<HTMLElement>('.problem[tabindex]');
if (holder && problem) {
  const area = part('placing', HTMLDivElement);
  const status = part('saving', HTMLParagraphElement);
  const api = apiAt((holder.dataset.changes ?? '').replace(/\/changes$/, ''));
  let version = holder.dataset.version ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const save = async (): Promise<void> => {
    try {
      const saved = await api<{ version: string }>('changes', { version, marks: marks() });
      version = saved.version;
      problem.hidden = true;
      status.textContent = words.saved;
    } catch (error) {
      status.textContent = '';
      problem.textContent = error instanceof RequestRefused ? words.changed : words.lost;
      problem.hidden = false;
    }
  };
  const saveNow = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    underWay = underWay.then(save);
    return underWay;
  };
  const data: PlacingData = JSON.parse(area.dataset.placing ?? '');
  const { marks } = mountPlacer(area, data, {
    onChange: () => {
      status.textContent = '';
      clearTimeout(timer);
      timer = setTimeout(saveNow, SAVED_AFTER_MS);
    },
  });
  // A link that is followed right after a change takes it along.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.actions a'))
    link.addEventListener('click', (event) => {
      if (timer === undefined && status.textContent !== '') return;
      event.preventDefault();
      void (timer === undefined ? underWay : saveNow()).then(() => {
        if (problem.hidden) location.href = link.href;
      });
    });
}
