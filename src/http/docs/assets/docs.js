// The page of forms and recipes.
import './page.js';
import { startForms, startSpoilers, stopAskingForKey } from './answer.js';
import { startKey } from './key.js';
import { startPermissions } from './permissions.js';
import { copy, showKeyInRecipes, startRecipes } from './recipes.js';

startKey(() => {
  showKeyInRecipes();
  stopAskingForKey();
});
startForms(copy);
startSpoilers();
startRecipes();
startPermissions();
document.documentElement.dataset.ready = '';
