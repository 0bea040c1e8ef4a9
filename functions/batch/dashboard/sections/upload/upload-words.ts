import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { errors } from '../../../errors.ts';
import { UPLOAD_REFUSALS } from '../../../jobs/domain/refusals.ts';
import type { UploadLimits } from '../../../jobs/domain/upload-limits.ts';

export const pageWords = translations({
  title: { en: 'Upload', 'pt-BR': 'Enviar' },
  intro: {
    en: (size: string) => `Each file becomes a job of its own. A file may have up to ${size}.`,
    'pt-BR': (size: string) => `Cada arquivo vira um trabalho. Um arquivo pode ter até ${size}.`,
  },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  format: { en: 'Format', 'pt-BR': 'Formato' },
  byExtension: {
    en: 'As the profile or the file extension says',
    'pt-BR': 'Como diz o perfil ou a extensão do arquivo',
  },
  choose: { en: 'Choose files', 'pt-BR': 'Escolher arquivos' },
  drop: { en: 'or drop them here', 'pt-BR': 'ou arraste-os para cá' },
  files: { en: 'Files', 'pt-BR': 'Arquivos' },
  send: { en: 'Send the files', 'pt-BR': 'Enviar os arquivos' },
  manyFiles: {
    en: (count: string) =>
      `More than ${count} files take a while: so many are sent in a minute, with this page open. Files that a program or a colleague puts into an input folder become jobs by themselves, as many as there are.`,
    'pt-BR': (count: string) =>
      `Mais de ${count} arquivos demoram: é quanto se envia em um minuto, com esta página aberta. Arquivos que um programa ou um colega coloca em uma pasta de entrada viram trabalhos sozinhos, quantos forem.`,
  },
  folders: { en: 'See the input folders', 'pt-BR': 'Ver as pastas de entrada' },
  needsScript: {
    en: 'To upload files here, turn JavaScript on and reload the page. Everything else works without it.',
    'pt-BR':
      'Para enviar arquivos aqui, ative o JavaScript e recarregue a página. Todo o resto funciona sem ele.',
  },
  noProfile: {
    en: 'No enabled profile takes files. Create or enable one first.',
    'pt-BR': 'Nenhum perfil ativo recebe arquivos. Crie ou ative um primeiro.',
  },
});

/** The texts of the script, as data in the page. `{seconds}` and the like are filled in there. */
const scriptWords = translations({
  ready: { en: 'Ready to be sent', 'pt-BR': 'Pronto para enviar' },
  waiting: { en: 'Waits for its turn', 'pt-BR': 'Aguardando a vez' },
  sending: { en: 'Sent: {percent}', 'pt-BR': 'Enviado: {percent}' },
  arriving: { en: 'Sent. The service takes it in.', 'pt-BR': 'Enviado. O serviço está recebendo.' },
  done: { en: 'Taken in', 'pt-BR': 'Recebido' },
  openJob: { en: 'Open the job', 'pt-BR': 'Abrir o trabalho' },
  remove: { en: 'Remove', 'pt-BR': 'Remover' },
  again: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  paused: {
    en: 'Many files in a short time: the next is sent in {seconds} s. Nothing is lost.',
    'pt-BR': 'Muitos arquivos em pouco tempo: o próximo vai em {seconds} s. Nada se perde.',
  },
  lost: {
    en: 'The connection was lost. The file may have arrived: look at the jobs before you try again.',
    'pt-BR': 'A conexão caiu. O arquivo pode ter chegado: veja os trabalhos antes de tentar de novo.',
  },
  notPut: {
    en: 'The store did not take the file. Try again.',
    'pt-BR': 'O armazenamento não recebeu o arquivo. Tente de novo.',
  },
  refused: {
    en: 'The service did not take the file. Try again.',
    'pt-BR': 'O serviço não recebeu o arquivo. Tente de novo.',
  },
  ended: {
    en: 'Your session has ended. Log in again in another window, then try again here.',
    'pt-BR': 'Sua sessão terminou. Entre de novo em outra janela e tente de novo aqui.',
  },
  progress: { en: '{done} of {total} files taken in', 'pt-BR': '{done} de {total} arquivos recebidos' },
});

const sizeWords = translations({
  tooLarge: {
    en: (size: string) => `The file is larger than ${size}, the most that the service takes.`,
    'pt-BR': (size: string) => `O arquivo é maior que ${size}, o máximo que o serviço recebe.`,
  },
  tooLargeHere: {
    en: (size: string) =>
      `The file is larger than ${size}, the most that this page can send. Put it into an input folder, or name this site in Upload:CorsOrigins.`,
    'pt-BR': (size: string) =>
      `O arquivo é maior que ${size}, o máximo que esta página envia. Coloque-o em uma pasta de entrada ou inclua este site em Upload:CorsOrigins.`,
  },
});

// The store may be away for any operation.
const CODES = [...UPLOAD_REFUSALS, 'store.unavailable'] as const;

/** Everything that the script says. */
export function wordsOfScript(language: Language, limits: UploadLimits) {
  const { maxBytes, maxFormBytes, storeOrigin } = limits;
  const sizes = sizeWords(language);
  const tooLarge = storeOrigin
    ? sizes.tooLarge(formatSize(language, maxBytes))
    : sizes.tooLargeHere(formatSize(language, maxFormBytes));
  return {
    ...scriptWords(language),
    refusals: {
      ...Object.fromEntries(CODES.map((code) => [code, errors.text(code, language)])),
      'upload.too-large': tooLarge,
      'request.too-large': tooLarge,
      'auth.invalid-credentials': scriptWords(language).ended,
    },
  };
}
