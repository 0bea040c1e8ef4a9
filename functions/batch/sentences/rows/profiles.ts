/** Why a profile or a folder cannot be used. Values are in braces. */
export const profileRows = {
  'degraded.profile': {
    en: 'Profile {name} is degraded. {reason}',
    'pt-BR': 'O perfil {name} não consegue assinar. {reason}',
  },
  'degraded.no-cpf': {
    en: 'Its certificate names no CPF, by which documents of the folder are found. Give it the key of a person.',
    'pt-BR':
      'O certificado não tem CPF, pelo qual os documentos da pasta são encontrados. Dê ao perfil a chave de uma pessoa.',
  },
  'degraded.no-service': {
    en: 'No external signature service is configured: set Signer:BaseAddress and Signer:ApiKey.',
    'pt-BR': 'Nenhuma plataforma de assinatura está configurada: defina Signer:BaseAddress e Signer:ApiKey.',
  },
  'degraded.no-key': {
    en: 'It has no key. Give it one: npm run admin -- profiles key {name} FILE.p12',
    'pt-BR':
      'Não tem chave. Importe uma nesta página, ou com npm run admin -- profiles key {name} ARQUIVO.p12',
  },
  'degraded.key-closed': {
    en: 'Its key does not open: {problem} Or give the key again.',
    'pt-BR': 'A chave não abre: {problem} Ou importe a chave de novo.',
  },
  'degraded.key-unfit': {
    en: 'Its key cannot sign: {problem}',
    'pt-BR': 'A chave não pode assinar: {problem}',
  },
  'degraded.recipient-unreadable': {
    en: 'The certificate that its outputs are encrypted for cannot be read. Give it again.',
    'pt-BR': 'O certificado para o qual as saídas são cifradas não pode ser lido. Informe-o de novo.',
  },
  'degraded.password-closed': {
    en: 'Its encryption password does not open: {problem} Or give the password again.',
    'pt-BR': 'A senha de cifragem não abre: {problem} Ou informe a senha de novo.',
  },
  'degraded.authorization-ended': {
    en: "The cloud certificate's authorization ended at {time}: authorize it again in the profile's page.",
    'pt-BR':
      'A autorização do certificado em nuvem terminou em {time}: autorize-o de novo na página do perfil.',
  },
  'degraded.no-hub': {
    en: 'No hub of cloud certificates is configured: set Hub:ApiKey.',
    'pt-BR': 'Nenhum hub de certificados em nuvem está configurado: defina Hub:ApiKey.',
  },
  'degraded.not-authorized': {
    en: "Its cloud certificate is not authorized yet: authorize it in the profile's page.",
    'pt-BR': 'O certificado em nuvem ainda não foi autorizado: autorize-o na página do perfil.',
  },
  'degraded.authorization-closed': {
    en: "The cloud certificate's authorization does not open: {problem} Or authorize it again in the profile's page.",
    'pt-BR':
      'A autorização do certificado em nuvem não abre: {problem} Ou autorize-o de novo na página do perfil.',
  },
  'degraded.cloud-unfit': {
    en: 'Its cloud certificate cannot sign: {problem}',
    'pt-BR': 'O certificado em nuvem não pode assinar: {problem}',
  },
  'degraded.folder-missing': {
    en: 'The external service has no folder {folder} that its key may read. Bind another one, or have it restored.',
    'pt-BR':
      'A plataforma de assinatura não tem a pasta {folder} que a chave dela possa ler. Escolha outra, ou peça que seja restaurada.',
  },
} as const;
