import '../../../../../shared/ui/browser/console.ts';
