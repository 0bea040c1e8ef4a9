import { translations } from '../../../../../../shared/ui/translations.ts';

export const webhookWords = translations({
  hint: {
    en: 'Addresses of your programs that are told what happens to documents.',
    'pt-BR': 'Endereços dos seus programas que recebem o que acontece com os documentos.',
  },
  none: { en: 'There are no webhooks yet.', 'pt-BR': 'Ainda não há webhooks.' },
  personal: {
    en: 'A personal organization has no webhooks.',
    'pt-BR': 'Uma organização pessoal não tem webhooks.',
  },
  add: { en: 'Add a webhook', 'pt-BR': 'Adicionar um webhook' },
  change: { en: 'Change a webhook', 'pt-BR': 'Alterar um webhook' },
  url: { en: 'Address', 'pt-BR': 'Endereço' },
  authType: { en: 'Authentication', 'pt-BR': 'Autenticação' },
  token: { en: 'Token', 'pt-BR': 'Token' },
  tokenHint: {
    en: 'Sent exactly as given. It is not shown again, and has to be given again with every change.',
    'pt-BR': 'Enviado exatamente assim. Não é mostrado de novo e deve ser informado a cada alteração.',
  },
  secret: { en: 'Signing secret', 'pt-BR': 'Segredo de assinatura' },
  secretHint: {
    en: 'Optional, whsec_…: deliveries are signed with it. Empty in a change: it stays.',
    'pt-BR': 'Opcional, whsec_…: as entregas são assinadas com ele. Vazio em uma alteração: permanece.',
  },
  addNow: { en: 'Add', 'pt-BR': 'Adicionar' },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  edit: { en: 'Change', 'pt-BR': 'Alterar' },
  deliveries: { en: 'Deliveries', 'pt-BR': 'Entregas' },
  test: { en: 'Send a test', 'pt-BR': 'Enviar um teste' },
  remove: { en: 'Delete…', 'pt-BR': 'Excluir…' },
  removeMeans: {
    en: 'Deliveries that still wait are not sent any more.',
    'pt-BR': 'As entregas que ainda esperam não são mais enviadas.',
  },
  removeNow: { en: 'Delete', 'pt-BR': 'Excluir' },
  wrong: {
    en: 'Give an http or https address, and a kind of authentication.',
    'pt-BR': 'Informe um endereço http ou https e um tipo de autenticação.',
  },
  NoAuth: { en: 'None', 'pt-BR': 'Nenhuma' },
  Basic: { en: 'Basic', 'pt-BR': 'Basic' },
  Bearer: { en: 'Bearer', 'pt-BR': 'Bearer' },
  ApiKey: { en: 'X-API-Key', 'pt-BR': 'X-API-Key' },
  added: { en: 'The webhook was added.', 'pt-BR': 'O webhook foi adicionado.' },
  changed: { en: 'The webhook was changed.', 'pt-BR': 'O webhook foi alterado.' },
  removed: { en: 'The webhook was deleted.', 'pt-BR': 'O webhook foi excluído.' },
  tested: {
    en: 'A test event is on its way. Its delivery is in the list.',
    'pt-BR': 'Um evento de teste está a caminho. A entrega está na lista.',
  },
  replayed: { en: 'It is sent once more.', 'pt-BR': 'Será enviado mais uma vez.' },
  event: { en: 'Event', 'pt-BR': 'Evento' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  when: { en: 'When', 'pt-BR': 'Quando' },
  attempts: { en: 'Attempts', 'pt-BR': 'Tentativas' },
  answer: { en: 'Last answer', 'pt-BR': 'Última resposta' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  replay: { en: 'Send again', 'pt-BR': 'Enviar de novo' },
  replayAll: { en: 'Send all failed again', 'pt-BR': 'Enviar de novo tudo o que falhou' },
  noDeliveries: {
    en: 'Nothing was sent yet. Send a test to see whether the address answers.',
    'pt-BR': 'Nada foi enviado ainda. Envie um teste para ver se o endereço responde.',
  },
  older: { en: 'Older', 'pt-BR': 'Mais antigas' },
  back: { en: 'All webhooks', 'pt-BR': 'Todos os webhooks' },
});

/** The states of deliveries. */
export const stateWords = translations({
  Pending: { en: 'Waiting', 'pt-BR': 'Aguardando' },
  Confirmed: { en: 'Delivered', 'pt-BR': 'Entregue' },
  Exhausted: { en: 'Failed', 'pt-BR': 'Falhou' },
});
