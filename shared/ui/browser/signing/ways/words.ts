import { translations } from '../../../translations.ts';

/** The texts of a page whose person signs with a certificate in the cloud or in a token. */
export const wayWords = translations({
  find: { en: 'Find my certificate', 'pt-BR': 'Procurar meu certificado' },
  allowAgain: { en: 'Allow the signature again', 'pt-BR': 'Autorizar de novo' },
  goOn: { en: 'Go on at my provider', 'pt-BR': 'Continuar no provedor' },
  lookAgain: { en: 'Look for my token', 'pt-BR': 'Procurar meu token' },
  looking: { en: 'Looking for your certificate…', 'pt-BR': 'Procurando o seu certificado…' },
  leaving: { en: 'Taking you to your provider…', 'pt-BR': 'Levando você ao seu provedor…' },
  choose: {
    en: 'Choose the provider that keeps your certificate:',
    'pt-BR': 'Escolha o provedor que guarda o seu certificado:',
  },
  signingInCloud: {
    en: 'Signing at your provider… It may ask you once more, on your telephone.',
    'pt-BR': 'Assinando no seu provedor… Ele pode perguntar mais uma vez, no seu celular.',
  },
  asking: { en: 'Asking at your workstation…', 'pt-BR': 'Perguntando no seu computador…' },
  answerThere: {
    en: (time: string) =>
      `Answer at the computer with your token, until ${time}. The agent there shows the code above.`,
    'pt-BR': (time: string) =>
      `Responda no computador em que está o token, até ${time}. O agente mostra lá o código acima.`,
  },
  issuedBy: {
    en: (issuer: string, day: string) => `Issued by ${issuer}, valid until ${day}`,
    'pt-BR': (issuer: string, day: string) => `Emitido por ${issuer}, válido até ${day}`,
  },
});

/** How the page stands with a cloud certificate, where it cannot sign yet. */
export const cloudWords = translations({
  none: { en: '', 'pt-BR': '' },
  away: {
    en: 'You went to your provider and have not come back from it yet. Nothing is signed. Go on there if you closed its page.',
    'pt-BR':
      'Você foi ao provedor e ainda não voltou de lá. Nada foi assinado. Continue por aqui se você fechou a página dele.',
  },
  denied: {
    en: 'The signature was not allowed at the provider. Nothing was signed.',
    'pt-BR': 'A assinatura não foi autorizada no provedor. Nada foi assinado.',
  },
  failed: {
    en: 'The provider did not sign. Nothing was signed here: allow the signature again, or use another way.',
    'pt-BR': 'O provedor não assinou. Nada foi assinado aqui: autorize de novo ou use outra forma.',
  },
  expired: {
    en: 'More than 15 minutes have passed, so your provider’s permission is over. Nothing was signed: allow it again.',
    'pt-BR':
      'Passaram mais de 15 minutos, e a autorização do provedor terminou. Nada foi assinado: autorize de novo.',
  },
  'no-provider': {
    en: 'No provider that is connected here keeps a certificate for your CPF. Check with your provider, or use another way.',
    'pt-BR':
      'Nenhum provedor conectado aqui guarda um certificado do seu CPF. Confira com o seu provedor ou use outra forma.',
  },
  'provider-failed': {
    en: 'The providers could not be asked. Try again in some minutes, or use another way.',
    'pt-BR': 'Não foi possível consultar os provedores. Tente em alguns minutos ou use outra forma.',
  },
});

/** How the page stands with a token, and how its holder answered. */
export const tokenWords = translations({
  none: {
    en: 'No agent runs with a certificate of your CPF. Install the agent on the computer with your token, or put the token in. If an agent runs there already, the token in it is another person’s.',
    'pt-BR':
      'Nenhum agente tem um certificado do seu CPF. Instale o agente no computador em que está o token, ou conecte o token. Se já há um agente em uso lá, o token dele é de outra pessoa.',
  },
  offline: {
    en: 'The agent with your certificate is not running. Start it on the computer with your token, then look again.',
    'pt-BR':
      'O agente com o seu certificado não está em execução. Inicie-o no computador em que está o token e procure de novo.',
  },
  failed: {
    en: 'The workstations could not be asked. Try again in some minutes, or use another way.',
    'pt-BR': 'Não foi possível consultar os computadores. Tente em alguns minutos ou use outra forma.',
  },
  noCpf: {
    en: 'A token is found by the CPF of its holder, and the sender gave none for you. Use another way, or tell the sender.',
    'pt-BR':
      'Um token é encontrado pelo CPF do titular, e quem enviou não informou o seu. Use outra forma ou avise quem enviou.',
  },
  declined: {
    en: 'The signature was declined at the workstation. Nothing was signed.',
    'pt-BR': 'A assinatura foi recusada no computador. Nada foi assinado.',
  },
  expired: {
    en: 'Nobody answered at the workstation in time. Nothing was signed: sign again when you are at it.',
    'pt-BR':
      'Ninguém respondeu no computador a tempo. Nada foi assinado: assine de novo quando estiver diante dele.',
  },
  'pin-blocked': {
    en: 'The PIN was wrong too often at the workstation, and none is taken for five minutes so that the token is not locked. Nothing was signed. A token that is locked is unlocked with its PUK.',
    'pt-BR':
      'O PIN foi digitado errado vezes demais no computador, e nenhum é aceito por cinco minutos para o token não bloquear. Nada foi assinado. Um token bloqueado se desbloqueia com o PUK.',
  },
  unusable: {
    en: 'The token could not be used. See the window of the agent, put the token in again, and sign again. Nothing was signed.',
    'pt-BR':
      'Não foi possível usar o token. Veja a janela do agente, conecte o token de novo e assine outra vez. Nada foi assinado.',
  },
  replaced: {
    en: 'This question was replaced by a newer one, or was answered before. Reload the page to see how the document stands.',
    'pt-BR':
      'Este pedido foi substituído por outro mais novo ou já foi respondido. Recarregue a página para ver o estado do documento.',
  },
});
