import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { checkBatchReadiness } from '../../../domain/readiness.ts';
import type { Check, ReadinessResult } from '../../../operations/domain/readiness.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge } from '../../pages/parts.ts';
import { givenText, recordedText } from '../../pages/text.ts';
import type { Section, Visit } from '../../visit.ts';

const readinessWords = translations({
  title: { en: 'Readiness', 'pt-BR': 'Prontidão' },
  ready: { en: 'Ready', 'pt-BR': 'Pronto' },
  readyHint: { en: 'The service can work.', 'pt-BR': 'O serviço pode trabalhar.' },
  notReady: { en: 'Not ready', 'pt-BR': 'Não está pronto' },
  notReadyHint: {
    en: 'Something that the service needs does not work. It is marked below.',
    'pt-BR': 'Algo de que o serviço precisa não funciona. Está marcado abaixo.',
  },
  check: { en: 'Check', 'pt-BR': 'Verificação' },
  result: { en: 'Result', 'pt-BR': 'Resultado' },
  ok: { en: 'OK', 'pt-BR': 'OK' },
  failed: { en: 'Failed', 'pt-BR': 'Falhou' },
  warning: { en: 'Attention', 'pt-BR': 'Atenção' },
  detail: { en: 'Detail', 'pt-BR': 'Detalhe' },
});

type Words = ReturnType<typeof readinessWords>;

const columnsOf = (language: Language, words: Words): readonly Column<Check>[] => [
  { title: words.check, kind: 'file', cell: ({ name }) => givenText(name) },
  {
    title: words.result,
    kind: 'text',
    cell: ({ ok, isWarning }) => {
      if (isWarning) return badge(words.warning, 'warn');
      return badge(ok ? words.ok : words.failed, ok ? 'good' : 'bad');
    },
  },
  { title: words.detail, kind: 'wide', cell: ({ detail }) => recordedText(language, detail) },
];

// What failed stands first, then what will.
const rankOf = ({ ok, isWarning }: Check): number => (ok ? (isWarning ? 1 : 2) : 0);
const byResult = (a: Check, b: Check): number => rankOf(a) - rankOf(b);

function readinessPage(visit: Visit, { ready, checks }: ReadinessResult): Promise<Answer> {
  const words = readinessWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'readiness',
    body: html`<h1>${words.title}</h1>
<div class="stack" id="readiness" data-live="10">
<p>${badge(ready ? words.ready : words.notReady, ready ? 'good' : 'bad')} ${
      ready ? words.readyHint : words.notReadyHint
    }</p>
${renderTable(columnsOf(visit.language, words), checks.toSorted(byResult))}
</div>`,
  });
}

/** Whether the service can work, by check, with what each one saw. */
export const readiness: Section = {
  pages: { readiness: async (visit) => readinessPage(visit, await checkBatchReadiness(visit.nowMs)) },
  forms: {},
};
