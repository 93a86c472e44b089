/**
 * Every function of BDScript in BDFD's wiki, without its `$`: its list of functions, and its guide to HTTP requests.
 * @see https://wiki.botdesignerdiscord.com
 */
export const BDFD_FUNCTIONS: ReadonlySet<string> = new Set(
  `
  addButton addCmdReactions addContainer addEmoji addField addMessageReactions addReactions addSection
  addSelectMenuOption addSeparator addTextDisplay addTextInput addThumbnail addTimestamp afkChannelID afkTimeout
  allMembersCount allowMention allowRoleMentions allowUserMentions alternativeParsing and argCount argsCheck
  author authorAvatar authorIcon authorID authorOfMessage authorURL awaitFunc ban banID blackListIDs
  blackListRoles blackListRolesIDs blackListServers blackListUsers boostCount boostLevel botCommands botID
  botLeave botListDescription botListHide botNode botOwnerID botTyping byteCount c calculate catch
  categoryChannels categoryCount categoryID ceil changeCooldownTime changeUsername changeUsernameWithID
  channelCount channelExists channelID channelIDFromName channelName channelNames channelPosition
  channelSendMessage channelTopic channelType charCount checkCondition checkContains checkUserPerms clear
  clearReactions closeTicket color colorRole commandFolder commandName commandTrigger commandsCount cooldown
  createChannel createRole creationDate cropText customEmoji customID date day defer deleteChannels
  deleteChannelsByName deletecommand deleteIn deleteMessage deleteRole description disableInnerSpaceRemoval
  disableSpecialEscaping discriminator displayName divide dm dmChannelID editButton editChannelPerms editEmbedIn
  editIn editMessage editSelectMenu editSplitText editThread else elseif embeddedURL embedSuppressErrors
  emojiExists emojiName emoteCount enabled enableDecimals endif endtry ephemeral error eval executionTime
  findChannel findRole findUser floor footer footerIcon getAttachments getBanReason getBotInvite getChannelVar
  getCooldown getCustomStatus getEmbedData getInviteInfo getLeaderboardPosition getLeaderboardValue getMessage
  getReactions getRoleColor getServerInvite getServerVar getSlowmode getTextSplitIndex getTextSplitLength
  getTimestamp getUserStatus getUserVar getVar giveRole globalCooldown globalUserLeaderboard guildBanner
  guildExists guildID hasRole highestRole highestRoleWithPerms hostingExpireTime hour httpAddHeader httpDelete
  httpGet httpPatch httpPost httpPut httpResult httpStatus hypesquad if ignoreChannels ignoreLinks image input
  isAdmin isBanned isBoolean isBooster isBot isEmojiAnimated isHoisted isInteger isMentionable isMentioned
  isMessageEdited isNSFW isNumber isSlash isTicket isTimedOut isUserDMEnabled isValidHex joinSplitText kick
  kickMention lastMessageID lastPinTimestamp linesCount lowestRole lowestRoleWithPerms max membersCount
  mentioned mentionedChannels mentionedRoles message messageEditedTimestamp messageID min minute modifyChannel
  modifyChannelPerms modifyRole modifyRolePerms modulo month multi mute newModal newSelectMenu newTicket
  nickname nomention noMentionMessage nodeVersion numberSeparator onlyAdmin onlyBotChannelPerms onlyBotPerms
  onlyForCategories onlyForChannels onlyForIDs onlyForRoles onlyForRoleIDs onlyForServers onlyForUsers onlyIf
  onlyIfMessageContains onlyNSFW onlyPerms optOff or parentID ping pinMessage premiumExpireTime publishMessage
  random randomCategoryID randomChannelID randomGuildID randomMention randomRoleID randomString randomText
  randomUser randomUserID registerGuildCommands removeAllComponents removeButtons removeComponent removeContains
  removeEmoji removeLinks removeSplitTextElement repeatMessage replaceText repliedMessageID reply replyIn
  resetChannelVar resetServerVar resetUserVar roleCount roleExists roleGrant roleID roleInfo roleName roleNames
  rolePerms rolePosition round rulesChannelID scriptLanguage second sendEmbedMessage sendMessage
  serverChannelExists serverCooldown serverCount serverDescription serverEmojis serverIcon serverInfo
  serverLeaderboard serverName serverNames serverOwner serverRegion serverVerificationLvl setChannelVar
  setServerVar setUserRoles setUserVar setVar shardID slashCommandsCount slashID slowmode sort splitText sqrt
  startThread stop sub sum suppressErrors systemChannelID takeRole textSplit threadAddMember threadMessageCount
  threadRemoveMember threadUserCount thumbnail time timeout title toLowercase toTitleCase toUppercase
  trimContent trimSpace try tts unban unbanID unescape unmute unpinMessage unregisterGuildCommands untimeout
  uptime url useChannel userAvatar userBadges userBanner userBannerColor userExists userID userInfo userJoined
  userJoinedDiscord userLeaderboard username userPerms userReacted userRoles userServerAvatar var varExistError
  varExists variablesCount voiceUserLimit year
`
    .trim()
    .split(/\s+/),
);
