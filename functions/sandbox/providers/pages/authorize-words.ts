import { translations } from '../../../../shared/ui/translations.ts';

export const authorizeWords = translations({
  title: { en: 'Allow the use of your certificate?', 'pt-BR': 'Permitir o uso do seu certificado?' },
  sandbox: {
    en: 'This is the sandbox: the provider is made up, and no password is asked for.',
    'pt-BR': 'Este é o ambiente de testes: o provedor é fictício e nenhuma senha é pedida.',
  },
  provider: { en: 'Provider', 'pt-BR': 'Provedor' },
  client: { en: 'Who asks', 'pt-BR': 'Quem pede' },
  holder: { en: 'Whose certificate', 'pt-BR': 'De quem é o certificado' },
  purpose: { en: 'What for', 'pt-BR': 'Para quê' },
  lifetime: { en: 'For how long', 'pt-BR': 'Por quanto tempo' },
  single_signature: { en: 'One signature', 'pt-BR': 'Uma assinatura' },
  multi_signature: {
    en: 'Several signatures, asked for at once',
    'pt-BR': 'Várias assinaturas, pedidas de uma só vez',
  },
  signature_session: {
    en: 'Any number of signatures, until the time is over',
    'pt-BR': 'Quantas assinaturas forem pedidas, até o fim do prazo',
  },
  authentication_session: {
    en: 'To know who you are. Nothing is signed',
    'pt-BR': 'Saber quem você é. Nada é assinado',
  },
  approve: { en: 'Allow', 'pt-BR': 'Permitir' },
  deny: { en: 'Do not allow', 'pt-BR': 'Não permitir' },
  goBack: { en: 'Go back', 'pt-BR': 'Voltar' },
  noCertificateTitle: { en: 'No certificate here', 'pt-BR': 'Nenhum certificado aqui' },
  noCertificate: {
    en: (company: string) =>
      `${company} keeps no certificate of the person or company that is asked for. Go back and choose another provider.`,
    'pt-BR': (company: string) =>
      `${company} não guarda certificado da pessoa ou empresa indicada. Volte e escolha outro provedor.`,
  },
  untrustedTitle: { en: 'This request cannot be answered', 'pt-BR': 'Este pedido não pode ser atendido' },
  client_id: {
    en: 'The client_id is not one that is registered here, so you are not sent back anywhere. Close this page and begin again where you came from.',
    'pt-BR':
      'O client_id não está registrado aqui, por isso você não é enviado de volta. Feche esta página e comece de novo no lugar de onde veio.',
  },
  redirect_uri: {
    en: 'The redirect_uri is not the one that is registered for the client, so you are not sent back anywhere. Close this page and begin again where you came from.',
    'pt-BR':
      'O redirect_uri não é o que está registrado para o cliente, por isso você não é enviado de volta. Feche esta página e comece de novo no lugar de onde veio.',
  },
});
