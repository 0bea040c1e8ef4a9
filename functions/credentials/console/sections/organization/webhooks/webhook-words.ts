import { translations } from '../../../../../../shared/ui/translations.ts';

export const webhookWords = translations({
  hint: {
    en: 'Addresses of your programs that are told what happens to credentials: one of the organization, and one of each institute for its lists and inspection files.',
    'pt-BR':
      'Endereços dos seus programas que recebem o que acontece com as credenciais: um da organização e um de cada instituto, para suas listas e arquivos de fiscalização.',
  },
  owner: { en: 'Of', 'pt-BR': 'De' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
  institute: { en: 'Institute', 'pt-BR': 'Instituto' },
  state: { en: 'State', 'pt-BR': 'Situação' },
  on: { en: 'On', 'pt-BR': 'Ligado' },
  off: { en: 'Off', 'pt-BR': 'Desligado' },
  likeOrganization: { en: 'The organization’s', 'pt-BR': 'O da organização' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  change: { en: 'Change', 'pt-BR': 'Alterar' },
  changeTitle: { en: 'Change a webhook', 'pt-BR': 'Alterar um webhook' },
  enabled: { en: 'Send events', 'pt-BR': 'Enviar eventos' },
  enabledHint: {
    en: 'Off: deliveries that wait are not sent either.',
    'pt-BR': 'Desligado: as entregas que esperam também não são enviadas.',
  },
  shared: { en: 'Use the organization’s webhook', 'pt-BR': 'Usar o webhook da organização' },
  sharedHint: {
    en: 'Then the address below does not count.',
    'pt-BR': 'Nesse caso, o endereço abaixo não conta.',
  },
  url: { en: 'Address', 'pt-BR': 'Endereço' },
  authType: { en: 'Authentication', 'pt-BR': 'Autenticação' },
  NoAuth: { en: 'None', 'pt-BR': 'Nenhuma' },
  Basic: { en: 'Basic', 'pt-BR': 'Basic' },
  Bearer: { en: 'Bearer', 'pt-BR': 'Bearer' },
  ApiKey: { en: 'X-API-Key', 'pt-BR': 'X-API-Key' },
  token: { en: 'Token', 'pt-BR': 'Token' },
  tokenHint: {
    en: 'Sent exactly as given. It is not shown again, and has to be given again with every change.',
    'pt-BR': 'Enviado exatamente assim. Não é mostrado de novo e deve ser informado a cada alteração.',
  },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  changed: {
    en: 'Saved. To try it, send the events of a credential again from its page.',
    'pt-BR': 'Salvo. Para testar, envie de novo os eventos de uma credencial, na página dela.',
  },
  wrong: {
    en: 'Give an http or https address, a kind of authentication, and its token unless there is none.',
    'pt-BR': 'Informe um endereço http ou https, um tipo de autenticação e o token dela, se houver.',
  },
});
