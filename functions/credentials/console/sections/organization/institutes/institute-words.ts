import { translations } from '../../../../../../shared/ui/translations.ts';

export const instituteWords = translations({
  none: {
    en: 'The organization has no institute yet. Whoever runs the installation creates it: npm run admin -- institutes create.',
    'pt-BR':
      'A organização ainda não tem instituto. Quem administra a instalação o cria: npm run admin -- institutes create.',
  },
  hint: {
    en: 'The name and the code go into signed files: whoever runs the installation changes them.',
    'pt-BR': 'O nome e o código vão para arquivos assinados: quem administra a instalação os altera.',
  },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  emecCode: { en: 'e-MEC code', 'pt-BR': 'Código e-MEC' },
  id: { en: 'Id', 'pt-BR': 'Identificador' },
  signers: { en: 'Who signs', 'pt-BR': 'Quem assina' },
  nobody: { en: 'Nobody yet', 'pt-BR': 'Ninguém ainda' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  change: { en: 'Change who signs', 'pt-BR': 'Alterar quem assina' },
  changeHint: {
    en: 'Who has a lower step signs first; those of one step sign in any order. Files that already wait for others still do. An empty row is no person.',
    'pt-BR':
      'Quem tem etapa menor assina primeiro; os da mesma etapa, em qualquer ordem. Arquivos que já esperam por outros continuam esperando. Uma linha vazia não é ninguém.',
  },
  person: { en: (at: number) => `Person ${at}`, 'pt-BR': (at: number) => `Pessoa ${at}` },
  step: { en: 'Step', 'pt-BR': 'Etapa' },
  email: { en: 'E-mail address', 'pt-BR': 'Endereço de e-mail' },
  cpf: { en: 'CPF', 'pt-BR': 'CPF' },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  changed: {
    en: 'Saved. Files that are handed over from now on go to these people.',
    'pt-BR': 'Salvo. Os arquivos enviados a partir de agora vão para estas pessoas.',
  },
  wrong: {
    en: 'Give each person a name, a CPF, an e-mail address and a step from 1 to 1000, and name at least one.',
    'pt-BR': 'Informe nome, CPF, e-mail e etapa de 1 a 1000 de cada pessoa, e informe pelo menos uma.',
  },
  twice: {
    en: 'Two people have the same CPF.',
    'pt-BR': 'Duas pessoas têm o mesmo CPF.',
  },
});

/** What is wrong with a field of a person, by its name. */
export const signerProblems = translations({
  name: { en: 'Give a name.', 'pt-BR': 'Informe um nome.' },
  email: { en: 'Give an e-mail address.', 'pt-BR': 'Informe um endereço de e-mail.' },
  cpf: { en: 'This is not a CPF.', 'pt-BR': 'Isto não é um CPF.' },
  step: { en: 'Give a number from 1 to 1000.', 'pt-BR': 'Informe um número de 1 a 1000.' },
});
