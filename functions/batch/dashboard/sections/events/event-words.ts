import { translations } from '../../../../../shared/ui/translations.ts';

export const eventWords = translations({
  moreFilters: { en: 'More filters', 'pt-BR': 'Mais filtros' },
  title: { en: 'Events', 'pt-BR': 'Eventos' },
  type: { en: 'Type', 'pt-BR': 'Tipo' },
  anyType: { en: 'Any type', 'pt-BR': 'Qualquer tipo' },
  text: { en: 'Text', 'pt-BR': 'Texto' },
  from: { en: 'From', 'pt-BR': 'De' },
  to: { en: 'To', 'pt-BR': 'Até' },
  filter: { en: 'Filter', 'pt-BR': 'Filtrar' },
  all: { en: 'Show all', 'pt-BR': 'Mostrar tudo' },
  hint: {
    en: (zone: string) =>
      `The text is looked for in messages, job ids, profiles, codes and names. Days are those of ${zone}.`,
    'pt-BR': (zone: string) =>
      `O texto é procurado em mensagens, trabalhos, perfis, códigos e nomes. Os dias são os de ${zone}.`,
  },
  found: {
    en: (count: string) => (count === '1' ? '1 event, newest first' : `${count} events, newest first`),
    'pt-BR': (count: string) =>
      count === '1' ? '1 evento, do mais novo' : `${count} eventos, dos mais novos aos mais antigos`,
  },
  none: { en: 'There are no events here.', 'pt-BR': 'Não há eventos aqui.' },
  time: { en: 'Time', 'pt-BR': 'Hora' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },
  by: { en: 'By', 'pt-BR': 'Por' },
  job: { en: 'Job', 'pt-BR': 'Trabalho' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  unknownType: { en: 'There is no such type.', 'pt-BR': 'Esse tipo não existe.' },
  noDate: {
    en: 'Write a date as year-month-day: 2026-03-02.',
    'pt-BR': 'Escreva a data como ano-mês-dia: 2026-03-02.',
  },
  beforeFrom: { en: 'This is before the first day.', 'pt-BR': 'É antes do primeiro dia.' },
  tooLong: { en: 'Use at most 200 characters.', 'pt-BR': 'Use no máximo 200 caracteres.' },
  tooMany: {
    en: 'There are more than 100,000 events to search. Choose a type or fewer days.',
    'pt-BR': 'Há mais de 100.000 eventos para procurar. Escolha um tipo ou menos dias.',
  },
  noPage: { en: 'There is no such page.', 'pt-BR': 'Essa página não existe.' },
});
