import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import type { KindName } from '../../items/domain/kinds.ts';

/** The names of the kinds of items, and what a list says that has none. */
type KindWords = {
  readonly one: string;
  readonly many: string;
  /** In the navigation, which has room for few letters. */
  readonly tab: string;
  readonly create: string;
  readonly empty: string;
};

const KIND_WORDS: Readonly<Record<KindName, (language: Language) => KindWords>> = {
  degree: translations({
    one: { en: 'Degree', 'pt-BR': 'Diploma' },
    many: { en: 'Degrees', 'pt-BR': 'Diplomas' },
    tab: { en: 'Degrees', 'pt-BR': 'Diplomas' },
    create: { en: 'New degree', 'pt-BR': 'Novo diploma' },
    empty: {
      en: 'No degree yet. Create the first one by its form, or a whole class by a file of lines. The people who sign for the institute get a mail.',
      'pt-BR':
        'Nenhum diploma ainda. Crie o primeiro pelo formulário, ou uma turma inteira por um arquivo de linhas. Quem assina pela instituição recebe um e-mail.',
    },
  }),
  emission: translations({
    one: { en: 'Emission', 'pt-BR': 'Emissão' },
    many: { en: 'Emissions', 'pt-BR': 'Emissões' },
    tab: { en: 'Emissions', 'pt-BR': 'Emissões' },
    create: { en: 'New emission', 'pt-BR': 'Nova emissão' },
    empty: {
      en: 'No emission yet. Create one for a degree that another institution registers: it is signed here, then sent to the registrar.',
      'pt-BR':
        'Nenhuma emissão ainda. Crie uma para um diploma que outra instituição registra: ela é assinada aqui e depois enviada à registradora.',
    },
  }),
  registration: translations({
    one: { en: 'Registration request', 'pt-BR': 'Pedido de registro' },
    many: { en: 'Registration requests', 'pt-BR': 'Pedidos de registro' },
    tab: { en: 'Requests', 'pt-BR': 'Pedidos' },
    create: { en: 'New request', 'pt-BR': 'Novo pedido' },
    empty: {
      en: 'No request yet. Those that other institutions send to you appear here. For an institution that does not use this service, create one.',
      'pt-BR':
        'Nenhum pedido ainda. Os que outras instituições enviam a você aparecem aqui. Para uma instituição que não usa este serviço, crie um.',
    },
  }),
  transcript: translations({
    one: { en: 'Academic transcript', 'pt-BR': 'Histórico escolar' },
    many: { en: 'Academic transcripts', 'pt-BR': 'Históricos escolares' },
    tab: { en: 'Transcripts', 'pt-BR': 'Históricos' },
    create: { en: 'New transcript', 'pt-BR': 'Novo histórico' },
    empty: {
      en: 'No transcript yet. Create one here, or together with its degree.',
      'pt-BR': 'Nenhum histórico ainda. Crie um aqui, ou junto com o diploma.',
    },
  }),
  curriculum: translations({
    one: { en: 'Curriculum', 'pt-BR': 'Currículo' },
    many: { en: 'Curriculums', 'pt-BR': 'Currículos' },
    tab: { en: 'Curriculums', 'pt-BR': 'Currículos' },
    create: { en: 'New curriculum', 'pt-BR': 'Novo currículo' },
    empty: {
      en: 'No curriculum yet. Create that of a course, and have it signed.',
      'pt-BR': 'Nenhum currículo ainda. Crie o de um curso e peça as assinaturas.',
    },
  }),
  cancellationList: translations({
    one: { en: 'List of annulled degrees', 'pt-BR': 'Lista de diplomas anulados' },
    many: { en: 'Lists of annulled degrees', 'pt-BR': 'Listas de diplomas anulados' },
    tab: { en: 'Annulled', 'pt-BR': 'Anulados' },
    create: { en: 'New list', 'pt-BR': 'Nova lista' },
    empty: {
      en: 'No list yet. The first one has the degrees that this institute registered and that were annulled until now.',
      'pt-BR':
        'Nenhuma lista ainda. A primeira tem os diplomas que esta instituição registrou e que foram anulados até agora.',
    },
  }),
  inspectionFile: translations({
    one: { en: 'Inspection file', 'pt-BR': 'Arquivo de fiscalização' },
    many: { en: 'Inspection files', 'pt-BR': 'Arquivos de fiscalização' },
    tab: { en: 'Inspection', 'pt-BR': 'Fiscalização' },
    create: { en: 'New inspection file', 'pt-BR': 'Novo arquivo de fiscalização' },
    empty: {
      en: 'No inspection file yet. Create one over a period: it names the degrees that were issued or registered in it.',
      'pt-BR':
        'Nenhum arquivo de fiscalização ainda. Crie um para um período: ele traz os diplomas emitidos ou registrados nele.',
    },
  }),
  restamp: translations({
    one: { en: 'Restamp', 'pt-BR': 'Recarimbo' },
    many: { en: 'Restamps', 'pt-BR': 'Recarimbos' },
    tab: { en: 'Restamps', 'pt-BR': 'Recarimbos' },
    create: { en: 'Stamp again', 'pt-BR': 'Carimbar de novo' },
    empty: {
      en: 'No restamp yet. Signed files are stamped again by themselves before their timestamps expire; the page of an item does it at once.',
      'pt-BR':
        'Nenhum recarimbo ainda. Arquivos assinados são carimbados de novo antes que o carimbo vença; a página de um item faz isso na hora.',
    },
  }),
};

export const kindWords = (kind: KindName, language: Language): KindWords => KIND_WORDS[kind](language);
