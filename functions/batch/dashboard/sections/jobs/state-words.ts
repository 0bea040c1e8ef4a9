import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { errors } from '../../../errors.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import type { JobState } from '../../../jobs/domain/job/states.ts';
import { textIn } from '../../../sentences/sentences.ts';
import { badge } from '../../pages/parts.ts';

export const stateWords = translations({
  Queued: { en: 'Queued', 'pt-BR': 'Na fila' },
  Processing: { en: 'Processing', 'pt-BR': 'Em processamento' },
  Verifying: { en: 'Verifying', 'pt-BR': 'Em verificação' },
  AwaitingApproval: { en: 'Waits for approval', 'pt-BR': 'Aguarda aprovação' },
  AwaitingSigner: { en: 'Waits for signers', 'pt-BR': 'Aguarda signatários' },
  Completed: { en: 'Completed', 'pt-BR': 'Concluído' },
  Failed: { en: 'Failed', 'pt-BR': 'Falhou' },
  Canceled: { en: 'Canceled', 'pt-BR': 'Cancelado' },
});

export const sourceWords = translations({
  Upload: { en: 'Upload', 'pt-BR': 'Envio' },
  WatchedFolder: { en: 'Input folder', 'pt-BR': 'Pasta de entrada' },
  SignerFolder: { en: 'Signer folder', 'pt-BR': 'Pasta de assinatura' },
});

const TONES: Partial<Readonly<Record<JobState, 'good' | 'bad'>>> = { Completed: 'good', Failed: 'bad' };

/** The status of a job in a word and a colour. */
export const stateBadge = (language: Language, state: JobState): Markup =>
  badge(stateWords(language)[state], TONES[state]);

/** Why a job ended as it did: in words of the language, or in the recorded sentence. Empty for a job without an error. */
export const jobErrorText = (
  language: Language,
  { errorCode, errorMessage, errorSaid }: Pick<Job, 'errorCode' | 'errorMessage' | 'errorSaid'>,
): string =>
  errors.text(errorCode ?? '', language) ??
  (errorSaid ? textIn(language, errorSaid) : (errorMessage ?? errorCode ?? ''));
