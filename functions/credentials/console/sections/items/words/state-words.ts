import type { Language } from '../../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import type { KindName } from '../../../../items/domain/kinds.ts';

const stateWords = translations({
  Created: { en: 'Waiting for signatures', 'pt-BR': 'Aguardando assinaturas' },
  Concluded: { en: 'Concluded', 'pt-BR': 'Concluído' },
  Canceled: { en: 'Annulled', 'pt-BR': 'Anulado' },
  CanceledTemporarily: { en: 'Suspended', 'pt-BR': 'Suspenso' },
  Signed: { en: 'Signed', 'pt-BR': 'Assinado' },
  SentToRegistry: { en: 'At the registrar', 'pt-BR': 'Na registradora' },
  Registered: { en: 'Registered', 'pt-BR': 'Registrado' },
  Accepted: { en: 'Accepted', 'pt-BR': 'Aceito' },
  Approved: { en: 'Approved', 'pt-BR': 'Aprovado' },
  Rejected: { en: 'Rejected', 'pt-BR': 'Recusado' },
  GenerationError: { en: 'Could not be written', 'pt-BR': 'Não pôde ser gerado' },
  Updated: { en: 'Trying again', 'pt-BR': 'Tentando de novo' },
  Applied: { en: 'Stamped', 'pt-BR': 'Carimbado' },
  ApplyingError: { en: 'Not stamped', 'pt-BR': 'Não carimbado' },
  awaitingAcceptance: { en: 'Waiting for acceptance', 'pt-BR': 'Aguardando aceitação' },
  awaitingStamp: { en: 'Waiting for its timestamp', 'pt-BR': 'Aguardando o carimbo' },
  awaitingDiploma: {
    en: 'Registered, waiting for signatures',
    'pt-BR': 'Registrado, aguardando assinaturas',
  },
  ended: { en: 'Canceled', 'pt-BR': 'Cancelado' },
});

type Word = keyof ReturnType<typeof stateWords>;

/** Where a state of one kind has another name than the same state of others. */
const OWN: Partial<Readonly<Record<KindName, Readonly<Record<string, Word>>>>> = {
  emission: { Canceled: 'ended' },
  registration: { Created: 'awaitingAcceptance', Registered: 'awaitingDiploma', Canceled: 'ended' },
  transcript: { Canceled: 'ended' },
  curriculum: { Canceled: 'ended' },
  restamp: { Created: 'awaitingStamp' },
};

/** The name of a state. @example stateText('registration', 'Created', 'pt-BR') // 'Aguardando aceitação' */
export const stateText = (kind: KindName, state: string, language: Language): string =>
  (stateWords(language) as Readonly<Record<string, string>>)[OWN[kind]?.[state] ?? state] ?? state;

const TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  ...{ Concluded: 'good', Signed: 'good', Applied: 'good', Registered: 'good' },
  ...{ CanceledTemporarily: 'warn', Canceled: 'bad', Rejected: 'bad' },
  ...{ GenerationError: 'bad', ApplyingError: 'bad' },
};

export const toneOf = (state: string) => TONES[state] ?? 'neutral';

/** What the history says for an event. */
const eventWords = translations({
  created: { en: 'Created', 'pt-BR': 'Criado' },
  concluded: { en: 'Signed by everybody: concluded', 'pt-BR': 'Assinado por todos: concluído' },
  signed: { en: 'Signed by everybody', 'pt-BR': 'Assinado por todos' },
  canceled: { en: 'Annulled or canceled', 'pt-BR': 'Anulado ou cancelado' },
  canceledTemporarily: { en: 'Suspended', 'pt-BR': 'Suspenso' },
  restored: { en: 'Restored', 'pt-BR': 'Restaurado' },
  sentToRegistry: { en: 'Sent to the registrar', 'pt-BR': 'Enviado à registradora' },
  accepted: { en: 'Accepted', 'pt-BR': 'Aceito' },
  approved: { en: 'Approved', 'pt-BR': 'Aprovado' },
  rejected: { en: 'Rejected', 'pt-BR': 'Recusado' },
  registered: { en: 'Registered', 'pt-BR': 'Registrado' },
  generationError: { en: 'It could not be written', 'pt-BR': 'Não pôde ser gerado' },
  updated: { en: 'Tried again', 'pt-BR': 'Tentado de novo' },
  applied: { en: 'Stamped', 'pt-BR': 'Carimbado' },
  applyingError: { en: 'The timestamp failed', 'pt-BR': 'O carimbo falhou' },
  EmissionRegistrationAccepted: { en: 'Accepted by the registrar', 'pt-BR': 'Aceito pela registradora' },
  EmissionRegistrationApproved: { en: 'Approved by the registrar', 'pt-BR': 'Aprovado pela registradora' },
  EmissionRegistrationRejected: { en: 'Rejected by the registrar', 'pt-BR': 'Recusado pela registradora' },
  EmissionRegistrationCanceled: { en: 'Canceled by the registrar', 'pt-BR': 'Cancelado pela registradora' },
  EmissionRegistrationRegistered: { en: 'Registered', 'pt-BR': 'Registrado' },
});

export const eventText = (event: string, language: Language): string =>
  (eventWords(language) as Readonly<Record<string, string>>)[event] ?? event;

/** How far a person is, by the platform's word. */
export const personWords = translations({
  Created: { en: 'signs after others', 'pt-BR': 'assina depois de outros' },
  Pending: { en: 'has to sign', 'pt-BR': 'falta assinar' },
  Completed: { en: 'has signed', 'pt-BR': 'assinou' },
  Refused: { en: 'has refused', 'pt-BR': 'recusou' },
});
