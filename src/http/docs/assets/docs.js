// The page of forms and recipes.
import { startForms } from './answer.js';
import { startKey } from './key.js';
import { startPermissions } from './permissions.js';
import { copy, showKeyInRecipes, startRecipes } from './recipes.js';

startKey(showKeyInRecipes);
startForms(copy);
startRecipes();
startPermissions();
document.documentElement.dataset.ready = '';
