import { translations } from '../../../../../shared/ui/translations.ts';

export const profileWords = translations({
  noKey: {
    en: 'It has no key, so it cannot sign. Import one below.',
    'pt-BR': 'Não tem chave e não pode assinar. Importe uma abaixo.',
  },
  title: { en: 'Profiles', 'pt-BR': 'Perfis' },
  hint: {
    en: 'A profile says how files are signed, and by whom they are approved.',
    'pt-BR': 'Um perfil diz como os arquivos são assinados e quem os aprova.',
  },
  none: { en: 'There are no profiles yet.', 'pt-BR': 'Ainda não há perfis.' },
  newProfile: { en: 'New profile', 'pt-BR': 'Novo perfil' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  nameHint: {
    en: 'Lower-case letters, digits and inner dashes. It cannot be changed later.',
    'pt-BR': 'Letras minúsculas, dígitos e hífens no meio. Não pode ser mudado depois.',
  },
  state: { en: 'State', 'pt-BR': 'Estado' },
  method: { en: 'Method', 'pt-BR': 'Método' },
  byExtension: { en: 'Format by extension', 'pt-BR': 'Formato pela extensão' },
  folder: { en: 'Input folder', 'pt-BR': 'Pasta de entrada' },
  certificate: { en: 'Certificate', 'pt-BR': 'Certificado' },
  noCertificate: { en: 'None', 'pt-BR': 'Nenhum' },
  until: { en: 'Valid until', 'pt-BR': 'Válido até' },
  expired: { en: 'Expired on', 'pt-BR': 'Expirou em' },
  issuer: { en: 'Issuer', 'pt-BR': 'Emissor' },
  serialNumber: { en: 'Serial number', 'pt-BR': 'Número de série' },
  recipient: { en: 'Outputs are encrypted for', 'pt-BR': 'Saídas cifradas para' },
  byDefault: { en: 'Default', 'pt-BR': 'Padrão' },
  enabled: { en: 'Enabled', 'pt-BR': 'Ativo' },
  disabled: { en: 'Disabled', 'pt-BR': 'Desativado' },
  degraded: { en: 'Cannot sign', 'pt-BR': 'Não pode assinar' },
  Local: { en: 'Own key', 'pt-BR': 'Chave própria' },
  ExternalSigner: { en: 'External signers', 'pt-BR': 'Signatários externos' },
  SignerFolder: { en: 'Signer folder', 'pt-BR': 'Pasta de assinatura' },
  unmeasured: {
    en: 'Files need approval, and the check of CNAB240 is off: its jobs fail with approval.content-unmeasured. Check CNAB240 remittances.',
    'pt-BR':
      'Os arquivos precisam de aprovação e a verificação CNAB240 está desligada: os trabalhos falham com approval.content-unmeasured. Verifique remessas CNAB240.',
  },
  enable: { en: 'Enable', 'pt-BR': 'Ativar' },
  disable: { en: 'Disable', 'pt-BR': 'Desativar' },
  makeDefault: { en: 'Make default', 'pt-BR': 'Tornar padrão' },
  remove: { en: 'Remove…', 'pt-BR': 'Remover…' },
  removeMeans: {
    en: 'The profile is removed with its key, and its queued jobs fail. This cannot be undone.',
    'pt-BR':
      'O perfil é removido com sua chave, e seus trabalhos na fila falham. Isso não pode ser desfeito.',
  },
  removeNow: { en: 'Remove this profile', 'pt-BR': 'Remover este perfil' },
  key: { en: 'Key', 'pt-BR': 'Chave' },
  keyHint: {
    en: 'A PKCS#12 file (.p12, .pfx) with one key and its certificates. The key is kept sealed; the password is not kept.',
    'pt-BR':
      'Um arquivo PKCS#12 (.p12, .pfx) com uma chave e seus certificados. A chave é guardada selada; a senha não é guardada.',
  },
  keyFile: { en: 'Certificate file', 'pt-BR': 'Arquivo do certificado' },
  keyPassword: { en: 'Password of the file', 'pt-BR': 'Senha do arquivo' },
  importKey: { en: 'Import key', 'pt-BR': 'Importar chave' },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  create: { en: 'Create', 'pt-BR': 'Criar' },
  problems: {
    en: 'Nothing was saved. Correct these fields:',
    'pt-BR': 'Nada foi salvo. Corrija estes campos:',
  },
  nameTaken: {
    en: 'There is a profile of this name already.',
    'pt-BR': 'Já existe um perfil com este nome.',
  },
  changedMeanwhile: {
    en: 'Somebody changed the profile after you opened it, so nothing was saved. This is how it is now: make your change again.',
    'pt-BR':
      'Alguém alterou o perfil depois que você o abriu, então nada foi salvo. Ele está assim agora: faça sua alteração de novo.',
  },
  cannotRemove: {
    en: 'This is the default profile. Make another one the default first.',
    'pt-BR': 'Este é o perfil padrão. Torne outro o padrão primeiro.',
  },
  cannotDefault: {
    en: 'This profile takes no files, so it cannot be the default one.',
    'pt-BR': 'Este perfil não recebe arquivos, então não pode ser o padrão.',
  },
  noFile: { en: 'Choose a file.', 'pt-BR': 'Escolha um arquivo.' },
  wrongPassword: {
    en: 'The password does not open this file.',
    'pt-BR': 'A senha não abre este arquivo.',
  },
  brokenFile: {
    en: 'This is not a whole PKCS#12 file. Export it again.',
    'pt-BR': 'Não é um arquivo PKCS#12 completo. Exporte-o de novo.',
  },
  unsupportedAlgorithm: {
    en: 'This file is protected in a way that is not supported. Export it again with AES-256 and SHA-256.',
    'pt-BR': 'Este arquivo está protegido de um modo não suportado. Exporte-o de novo com AES-256 e SHA-256.',
  },
  unsupportedIterations: {
    en: 'This file asks for too many rounds of key derivation. Export it again with fewer.',
    'pt-BR': 'Este arquivo pede iterações demais para derivar a chave. Exporte-o de novo com menos.',
  },
  unsupportedSize: {
    en: 'This file is too large, or holds too many keys. Export one key with its chain.',
    'pt-BR': 'Este arquivo é grande demais ou tem chaves demais. Exporte uma chave com sua cadeia.',
  },
  unsupportedProtection: {
    en: 'This file is not protected by a password alone. Export it again, protected by a password.',
    'pt-BR': 'Este arquivo não está protegido só por senha. Exporte-o de novo, protegido por uma senha.',
  },
  unsupportedKey: {
    en: 'This file holds a key of a kind that does not sign here. Use an RSA or EC key.',
    'pt-BR': 'Este arquivo tem uma chave de um tipo que não assina aqui. Use uma chave RSA ou EC.',
  },
  savedDone: { en: 'The profile was saved.', 'pt-BR': 'O perfil foi salvo.' },
  createdDone: {
    en: 'The profile was created. Import its key, where it signs with one.',
    'pt-BR': 'O perfil foi criado. Importe sua chave, se ele assina com uma.',
  },
  enabledDone: { en: 'The profile is enabled.', 'pt-BR': 'O perfil está ativo.' },
  disabledDone: {
    en: 'The profile is disabled: it takes no new work.',
    'pt-BR': 'O perfil está desativado: não recebe novos trabalhos.',
  },
  defaultDone: {
    en: 'The profile is the default one now.',
    'pt-BR': 'O perfil agora é o padrão.',
  },
  keyDone: { en: 'The key was imported.', 'pt-BR': 'A chave foi importada.' },
  removedDone: { en: 'The profile was removed.', 'pt-BR': 'O perfil foi removido.' },
});

export type ProfileWords = ReturnType<typeof profileWords>;
