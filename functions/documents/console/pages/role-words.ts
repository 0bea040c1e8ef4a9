import { translations } from '../../../../shared/ui/translations.ts';

/** The roles of members as pages name them. */
export const roleWords = translations({
  Owner: { en: 'Owner', 'pt-BR': 'Proprietário' },
  Manager: { en: 'Manager', 'pt-BR': 'Gestor' },
  Member: { en: 'Member', 'pt-BR': 'Membro' },
  Reader: { en: 'Reader', 'pt-BR': 'Leitor' },
});
