import { defineSettings } from '../../shared/settings/settings.ts';

/** The service has no settings of its own yet. The common settings apply. */
export const settings = defineSettings('credentials', {});
