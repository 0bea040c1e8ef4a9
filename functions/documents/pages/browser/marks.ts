import { apiAt, RequestRefused } from '../../../../shared/ui/browser/api.ts';
import { part } from '../../../../shared/ui/browser/element.ts';
import { language } from '../../../../shared/ui/browser/page-language.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import type { PlacingData } from '../placing-data.ts';
import { listenForEmbedder, tellPlaced } from './action/embedding.ts';
import { mountPlacer } from './placing/placer.ts';

const words = translations({
  saved: { en: 'The marks are saved.', 'pt-BR': 'As marcas foram salvas.' },
  lost: {
    en: 'No answer came. Check your internet and save again.',
    'pt-BR': 'Nenhuma resposta chegou. Verifique sua internet e salve de novo.',
  },
  refused: {
    en: 'The marks were not saved: the hour of this page is over. Go back and open it again.',
    'pt-BR': 'As marcas não foram salvas: a hora desta página acabou. Volte e abra-a de novo.',
  },
})(language);

// The page of a marks session: what is placed is saved by the button, and the page around the frame is told.
const main = document.querySelector('main');
const area = part('placing', HTMLDivElement);
const save = part('save', HTMLButtonElement);
const problem = document.querySelector<HTMLElement>('.problem');
const working = document.querySelector<HTMLElement>('.working');

if (main && problem && working) {
  listenForEmbedder(main);
  const data: PlacingData = JSON.parse(area.dataset.placing ?? '');
  const { marks } = mountPlacer(area, data, {
    onChange: () => {
      working.textContent = '';
    },
  });
  const api = apiAt('.');
  const { ticket = '' } = main.dataset;
  save.disabled = false;
  save.addEventListener('click', async () => {
    save.disabled = true;
    problem.hidden = true;
    try {
      await api('marks', { ticket, marks: marks() });
      working.textContent = words.saved;
      tellPlaced();
    } catch (error) {
      problem.textContent = error instanceof RequestRefused ? words.refused : words.lost;
      problem.hidden = false;
      problem.focus();
    } finally {
      save.disabled = false;
    }
  });
}
