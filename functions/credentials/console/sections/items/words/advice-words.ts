import type { Language } from '../../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import type { Item } from '../../../../items/domain/item.ts';
import type { Problem, SaidProblem } from '../../../../items/domain/problems.ts';
import { reasonMarkup, reasonOf } from '../../../pages/refusals.ts';

const adviceWords = translations({
  file: {
    en: 'A file is stuck with its signers. Correct what is wrong at the signature platform, or cancel this item and create it anew.',
    'pt-BR':
      'Um arquivo parou nas assinaturas. Corrija o que houve na plataforma de assinaturas, ou cancele este item e crie outro.',
  },
  list: {
    en: 'The file of the list is stuck with its signers. Have it signed again below.',
    'pt-BR': 'O arquivo da lista parou nas assinaturas. Peça as assinaturas de novo abaixo.',
  },
  inspection: {
    en: 'The file is not signed or could not be written. Create it again over the same period.',
    'pt-BR': 'O arquivo não foi assinado ou não pôde ser gerado. Crie-o de novo para o mesmo período.',
  },
  request: {
    en: 'The registrar did not register it. Read the reason, and send it again, there or elsewhere.',
    'pt-BR': 'A registradora não registrou. Leia o motivo e envie de novo, para ela ou para outra.',
  },
  transcript: {
    en: 'The transcript was not created with the degree. Create it under Transcripts.',
    'pt-BR': 'O histórico não foi criado junto com o diploma. Crie-o em Históricos.',
  },
  restamp: {
    en: 'The timestamp failed. It is tried again by itself; you can try it now.',
    'pt-BR': 'O carimbo falhou. Ele é tentado de novo sozinho; você pode tentar agora.',
  },
});

type Advice = keyof ReturnType<typeof adviceWords>;

function adviceFor(kind: Item['kind'], { file }: Problem): Advice {
  if (kind === 'cancellationList') return 'list';
  if (kind === 'inspectionFile') return 'inspection';
  if (kind === 'restamp') return 'restamp';
  if (file !== null) return 'file';
  return kind === 'emission' ? 'request' : 'transcript';
}

/** What somebody does about a problem. The recorded sentence beside it says what happened. */
export const adviceText = ({ kind }: Item, problem: Problem, language: Language): string =>
  adviceWords(language)[adviceFor(kind, problem)];

/** What happened, in the language of the reader where it was recorded so. */
export const problemMarkup = ({ message, said }: SaidProblem, language: Language): Markup =>
  reasonMarkup(reasonOf({ code: '', message, details: { reason: message }, said }, language));
