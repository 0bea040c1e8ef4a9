import { translations } from '../../../../shared/ui/translations.ts';

/** The roles of members as pages name them. */
export const roleWords = translations({
  Administrador: { en: 'Administrator', 'pt-BR': 'Administrador' },
  Registrar: { en: 'Registrar', 'pt-BR': 'Registrador' },
  Reader: { en: 'Reader', 'pt-BR': 'Leitor' },
});
