// Every second screen, from the second on (see examine-screens.ts).
import { examine } from './examine-screens.ts';
import { screens } from './screens.ts';
import { prepareStage } from './stage.ts';

examine(
  screens.filter((_, index) => index % 2 === 1),
  prepareStage(),
);
