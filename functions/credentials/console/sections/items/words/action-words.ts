import type { Language } from '../../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import type { KindName } from '../../../../items/domain/kinds.ts';

type ActionWords = { readonly summary: string; readonly explanation: string; readonly button: string };
type Action = (language: Language) => ActionWords;

const annul: Action = translations({
  summary: { en: 'Annul…', 'pt-BR': 'Anular…' },
  explanation: {
    en: 'The degree is not valid any more, for good. The verification page says so, and it goes on the next list of annulled degrees.',
    'pt-BR':
      'O diploma deixa de valer, em definitivo. A página de verificação passa a dizer isso, e ele entra na próxima lista de anulados.',
  },
  button: { en: 'Annul', 'pt-BR': 'Anular' },
});

const cancel: Action = translations({
  summary: { en: 'Cancel…', 'pt-BR': 'Cancelar…' },
  explanation: {
    en: 'It ends here, for good. Nobody can sign its files any more.',
    'pt-BR': 'Termina aqui, em definitivo. Ninguém mais pode assinar seus arquivos.',
  },
  button: { en: 'Cancel it', 'pt-BR': 'Cancelar' },
});

const cancelRequest: Action = translations({
  summary: { en: 'Cancel the request…', 'pt-BR': 'Cancelar o pedido…' },
  explanation: {
    en: 'The request ends. A degree that was registered by it is annulled: then choose the reason of the annulment.',
    'pt-BR':
      'O pedido termina. Um diploma registrado por ele é anulado: nesse caso, escolha o motivo da anulação.',
  },
  button: { en: 'Cancel the request', 'pt-BR': 'Cancelar o pedido' },
});

const ACTIONS: Readonly<Record<string, Action>> = {
  canceledTemporarily: translations({
    summary: { en: 'Suspend…', 'pt-BR': 'Suspender…' },
    explanation: {
      en: 'It is not valid until you restore it. The verification page says so.',
      'pt-BR': 'Não vale até que você o restaure. A página de verificação passa a dizer isso.',
    },
    button: { en: 'Suspend', 'pt-BR': 'Suspender' },
  }),
  restored: translations({
    summary: { en: 'Restore…', 'pt-BR': 'Restaurar…' },
    explanation: { en: 'It is valid again.', 'pt-BR': 'Volta a valer.' },
    button: { en: 'Restore', 'pt-BR': 'Restaurar' },
  }),
  sentToRegistry: translations({
    summary: { en: 'Send to a registrar…', 'pt-BR': 'Enviar a uma registradora…' },
    explanation: {
      en: 'The registrar gets the signed documentation, and accepts or rejects the request.',
      'pt-BR': 'A registradora recebe a documentação assinada e aceita ou recusa o pedido.',
    },
    button: { en: 'Send', 'pt-BR': 'Enviar' },
  }),
  accepted: translations({
    summary: { en: 'Accept…', 'pt-BR': 'Aceitar…' },
    explanation: {
      en: 'You take the request for examination. The issuer is told.',
      'pt-BR': 'Você recebe o pedido para análise. A emissora é avisada.',
    },
    button: { en: 'Accept', 'pt-BR': 'Aceitar' },
  }),
  approved: translations({
    summary: { en: 'Approve…', 'pt-BR': 'Aprovar…' },
    explanation: {
      en: 'The documents are in order. The diploma can be registered next.',
      'pt-BR': 'Os documentos estão em ordem. O diploma pode ser registrado em seguida.',
    },
    button: { en: 'Approve', 'pt-BR': 'Aprovar' },
  }),
  registered: translations({
    summary: { en: 'Register…', 'pt-BR': 'Registrar…' },
    explanation: {
      en: 'The diploma goes to the people who sign for your institute. Without a file of yours it is written of the fields.',
      'pt-BR':
        'O diploma vai para quem assina pela sua instituição. Sem um arquivo seu, ele é escrito a partir dos campos.',
    },
    button: { en: 'Register', 'pt-BR': 'Registrar' },
  }),
  rejected: translations({
    summary: { en: 'Reject…', 'pt-BR': 'Recusar…' },
    explanation: {
      en: 'The issuer reads the reason, and may send it again.',
      'pt-BR': 'A emissora lê o motivo e pode enviar de novo.',
    },
    button: { en: 'Reject', 'pt-BR': 'Recusar' },
  }),
  updated: translations({
    summary: { en: 'Try again…', 'pt-BR': 'Tentar de novo…' },
    explanation: {
      en: 'The timestamp authorities are asked again now.',
      'pt-BR': 'As autoridades de carimbo do tempo são chamadas de novo agora.',
    },
    button: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  }),
};

const CANCELLATIONS: Partial<Readonly<Record<KindName, Action>>> = {
  degree: annul,
  registration: cancelRequest,
};

/** What an action is called, and what it means. */
export const actionWords = (kind: KindName, event: string, language: Language): ActionWords =>
  (event === 'canceled' ? (CANCELLATIONS[kind] ?? cancel) : (ACTIONS[event] ?? cancel))(language);
