import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the page that places marks, before its script runs. */
export const marksPageWords = translations({
  title: { en: 'Place the marks', 'pt-BR': 'Posicione as marcas' },
  intro: {
    en: 'A mark is where a signature is shown on the page.',
    'pt-BR': 'Uma marca é o lugar da página em que uma assinatura aparece.',
  },
  save: { en: 'Save the marks', 'pt-BR': 'Salvar as marcas' },
  needsScript: {
    en: 'Marks are placed with JavaScript. Turn it on, or send the documents without marks: they are signed all the same.',
    'pt-BR':
      'As marcas são posicionadas com JavaScript. Ative-o, ou envie os documentos sem marcas: eles são assinados do mesmo jeito.',
  },
  expired: {
    en: 'Marks can be placed for an hour. Go back to where you came from and open the page again.',
    'pt-BR':
      'As marcas podem ser posicionadas durante uma hora. Volte para de onde veio e abra a página de novo.',
  },
});
