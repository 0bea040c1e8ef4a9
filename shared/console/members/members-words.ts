import { translations } from '../../ui/translations.ts';

export const membersWords = translations({
  invite: { en: 'Invite somebody', 'pt-BR': 'Convidar alguém' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  email: { en: 'E-mail address', 'pt-BR': 'Endereço de e-mail' },
  cpf: { en: 'CPF', 'pt-BR': 'CPF' },
  cpfHint: {
    en: 'Optional. To log in with a certificate.',
    'pt-BR': 'Opcional. Para entrar com certificado.',
  },
  role: { en: 'Role', 'pt-BR': 'Função' },
  sendInvitation: { en: 'Invite', 'pt-BR': 'Convidar' },
  person: { en: 'Person', 'pt-BR': 'Pessoa' },
  since: { en: 'Since', 'pt-BR': 'Desde' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  you: { en: 'you', 'pt-BR': 'você' },
  change: { en: 'Change', 'pt-BR': 'Alterar' },
  changeTitle: { en: 'Change a member', 'pt-BR': 'Alterar uma pessoa' },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  remove: { en: 'Remove…', 'pt-BR': 'Remover…' },
  removeNow: { en: 'Remove', 'pt-BR': 'Remover' },
  leave: { en: 'Leave the organization…', 'pt-BR': 'Sair da organização…' },
  leaveNow: { en: 'Leave', 'pt-BR': 'Sair da organização' },
  invited: {
    en: 'The person is a member now. They log in with their e-mail address.',
    'pt-BR': 'A pessoa agora faz parte da organização. Ela entra com o endereço de e-mail.',
  },
  changed: { en: 'The member was changed.', 'pt-BR': 'A pessoa foi alterada.' },
  removed: { en: 'The member was removed.', 'pt-BR': 'A pessoa foi removida.' },
});

/** What is wrong with a field of a form, by its name. */
export const memberProblems = translations({
  name: {
    en: 'Give a name of up to 100 characters, without marks that are not seen.',
    'pt-BR': 'Informe um nome de até 100 caracteres, sem sinais invisíveis.',
  },
  email: { en: 'Give an e-mail address.', 'pt-BR': 'Informe um endereço de e-mail.' },
  identifier: { en: 'This is not a CPF.', 'pt-BR': 'Isto não é um CPF.' },
  role: { en: 'Choose a role.', 'pt-BR': 'Escolha uma função.' },
});
