import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the operators' page. */
export const webhooksWords = translations({
  forMembers: {
    en: 'Members of an organization have its webhooks in the console, without a key.',
    'pt-BR': 'Quem faz parte de uma organização tem os webhooks dela no painel, sem chave.',
  },
  title: { en: 'Webhooks', 'pt-BR': 'Webhooks' },
  intro: {
    en: 'What the webhooks of an organization were sent, what they answered, and a way to send it again.',
    'pt-BR':
      'O que foi enviado aos webhooks de uma organização, o que eles responderam, e como enviar de novo.',
  },
  needsScript: {
    en: 'This page needs JavaScript, which is switched off in this browser.',
    'pt-BR': 'Esta página precisa de JavaScript, que está desligado neste navegador.',
  },
  apiKey: { en: 'API key', 'pt-BR': 'Chave de API' },
  apiKeyHint: {
    en: 'Kept in this tab only, and gone when you close it.',
    'pt-BR': 'Fica só nesta aba, e some quando você a fechar.',
  },
  organizationId: { en: 'Organization id', 'pt-BR': 'Id da organização' },
  open: { en: 'Open', 'pt-BR': 'Abrir' },
  forget: { en: 'Forget the key', 'pt-BR': 'Esquecer a chave' },
  loading: { en: 'Loading…', 'pt-BR': 'Carregando…' },

  webhooks: { en: 'Webhooks of this organization', 'pt-BR': 'Webhooks desta organização' },
  noWebhooks: {
    en: 'This organization has no webhook yet. One is registered with POST /api/organizations/{orgId}/webhooks.',
    'pt-BR':
      'Esta organização ainda não tem webhook. Um é cadastrado com POST /api/organizations/{orgId}/webhooks.',
  },
  personal: {
    en: 'A personal organization has no webhooks.',
    'pt-BR': 'Uma organização pessoal não tem webhooks.',
  },

  deliveries: { en: 'Deliveries', 'pt-BR': 'Entregas' },
  filter: { en: 'Show', 'pt-BR': 'Mostrar' },
  all: { en: 'All', 'pt-BR': 'Todas' },
  Pending: { en: 'Pending', 'pt-BR': 'Pendente' },
  Confirmed: { en: 'Confirmed', 'pt-BR': 'Confirmada' },
  Exhausted: { en: 'Failed for good', 'pt-BR': 'Falhou de vez' },
  refresh: { en: 'Refresh', 'pt-BR': 'Atualizar' },
  sendTest: { en: 'Send a test event', 'pt-BR': 'Enviar evento de teste' },
  replayFailed: { en: 'Send all failed again', 'pt-BR': 'Reenviar todas as que falharam' },
  more: { en: 'Show more', 'pt-BR': 'Mostrar mais' },
  none: { en: 'There is nothing to show.', 'pt-BR': 'Não há nada a mostrar.' },

  event: { en: 'Event', 'pt-BR': 'Evento' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  created: { en: 'Created', 'pt-BR': 'Criada' },
  attempts: { en: 'Attempts', 'pt-BR': 'Tentativas' },
  lastAnswer: { en: 'Last answer', 'pt-BR': 'Última resposta' },
  nextAttempt: { en: 'Next attempt', 'pt-BR': 'Próxima tentativa' },
  notYet: { en: 'none yet', 'pt-BR': 'nenhuma ainda' },
  details: {
    en: (type: string) => `Details of ${type}`,
    'pt-BR': (type: string) => `Detalhes de ${type}`,
  },

  replay: { en: 'Send again', 'pt-BR': 'Reenviar' },
  close: { en: 'Close', 'pt-BR': 'Fechar' },
  sent: { en: 'What was sent', 'pt-BR': 'O que foi enviado' },
  notKept: { en: 'It is no longer kept.', 'pt-BR': 'Não está mais guardado.' },
  attempt: { en: (n: number) => `Attempt ${n}`, 'pt-BR': (n: number) => `Tentativa ${n}` },
  response: { en: 'Answered', 'pt-BR': 'Respondeu' },
  noAttempts: { en: 'No attempt was made yet.', 'pt-BR': 'Nenhuma tentativa foi feita ainda.' },

  testSent: { en: 'The test event is on its way.', 'pt-BR': 'O evento de teste está a caminho.' },
  replayed: { en: 'It is on its way again.', 'pt-BR': 'Está a caminho de novo.' },
  arrived: { en: 'The receiver confirmed it.', 'pt-BR': 'O destinatário confirmou.' },
  notArrived: {
    en: (outcome: string) => `It was not confirmed: ${outcome}`,
    'pt-BR': (outcome: string) => `Não foi confirmado: ${outcome}`,
  },
  notYetKnown: {
    en: 'The receiver has not answered yet. Refresh in a while.',
    'pt-BR': 'O destinatário ainda não respondeu. Atualize daqui a pouco.',
  },
  replayedCount: {
    en: (n: number) =>
      n === 1 ? '1 delivery is on its way again.' : `${n} deliveries are on their way again.`,
    'pt-BR': (n: number) =>
      n === 1 ? '1 entrega está a caminho de novo.' : `${n} entregas estão a caminho de novo.`,
  },
  replayedMore: {
    en: (n: number) => `${n} deliveries are on their way again, and more will follow.`,
    'pt-BR': (n: number) => `${n} entregas estão a caminho de novo, e outras virão.`,
  },

  keyRefused: {
    en: 'The API key is not accepted. Check it, or ask for another one.',
    'pt-BR': 'A chave de API não é aceita. Confira, ou peça outra.',
  },
  organizationUnknown: {
    en: 'This key opens no organization by this id.',
    'pt-BR': 'Esta chave não abre organização com este id.',
  },
  webhookGone: {
    en: 'The webhook is no longer there. Somebody deleted it.',
    'pt-BR': 'O webhook não existe mais. Alguém o excluiu.',
  },
  notFinished: {
    en: 'It still waits for an attempt. Only what has ended can be sent again.',
    'pt-BR': 'Ela ainda espera por uma tentativa. Só o que terminou pode ser reenviado.',
  },
  eventGone: {
    en: 'What was sent is no longer kept, so it cannot be sent again.',
    'pt-BR': 'O que foi enviado não está mais guardado, e não pode ser reenviado.',
  },
  unreachable: {
    en: 'The server could not be reached. Check the connection and try again.',
    'pt-BR': 'Não foi possível alcançar o servidor. Confira a conexão e tente de novo.',
  },
  failed: {
    en: (id: string) =>
      `Something failed. If it happens again, send this number to the operator of the service: ${id}`,
    'pt-BR': (id: string) => `Algo falhou. Se continuar, informe este número a quem cuida do serviço: ${id}`,
  },
});

export type WebhooksWords = ReturnType<typeof webhooksWords>;
