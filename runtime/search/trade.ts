/** The words of the trade: what people call the things that tools work on, and what is done to them.
 *
 * One group a line; its words and phrases stand for one another. `a > b, c`: who says `a` may mean
 * `b` or `c`, not the other way round.
 */

/** Two names of the same thing. */
export const SAME = `
delete, remove
update, edit, modify
search, find
login, log in, sign in, signin
logout, log out, sign out
pull request, merge request, pr, mr
issue, ticket
repository, repo
ci, continuous integration
environment variable, env var
environment, env
configuration, config, cfg
settings, preferences
authentication, auth
authorization, authz
directory, folder, dir
document, doc
documentation, docs
image, picture, photo, pic
video, movie, clip
email, mail, e-mail
message, msg
event, appointment
automatic reply, out of office, auto reply
todo, to do, to-do
todo list, to do list, task list
user, account
organization, organisation, org
administrator, admin
company, business
website, web site, site
webpage, web page, page
url, web address
database, db
table, tbl
postgres, postgresql, pg, psql
mongodb, mongo
kubernetes, k8s
javascript, js
typescript, ts
python, py
virtual machine, vm
load balancer, lb
virtual private cloud, vpc
content delivery network, cdn
domain name system, dns
certificate, cert
key value, kv
object storage, bucket
large language model, llm
artificial intelligence, ai
accessibility, a11y
internationalization, i18n
localization, l10n
screenshot, screen shot
spreadsheet, excel, worksheet
presentation, slides, powerpoint
channel, room
phone, mobile, smartphone
identifier, id
number, count, how many
statistics, stats
information, info, details
application, app
development, dev
production, prod
temporary, temp
maximum, max
minimum, min
average, avg
request, req
response, resp
parameter, param, argument, arg
function, fn, func
package, pkg
command, cmd
server, srv
version, ver
reference, ref
address, addr
picture, img
description, desc
quantity, qty
transaction, tx
`;

/** What is done. */
export const VERBS = `
delete, remove, drop, erase, destroy, trash, wipe, purge, clear, discard, eliminate, get rid of, unset, forget, uninstall
create, add, new, make, insert, register, provision, set up, spin up, build, generate, open, compose, initialize, append
update, edit, modify, change, alter, patch, amend, revise, adjust, set, replace, overwrite, write, fix, correct, rewrite
get, read, fetch, retrieve, show, view, describe, see, display, look at, load, inspect, open, check, obtain, info, details
list, show, enumerate, browse, overview, get
search, find, query, look up, look for, lookup, locate, discover, seek, hunt
run, execute, trigger, start, launch, invoke, perform, kick off, fire
stop, terminate, kill, end, halt, abort, cancel, shut down, shutdown, quit, power off, turn off, exit
start, boot, turn on, power on, resume, begin, open, launch
pause, suspend, hold
restart, reboot, rerun, retry, relaunch, run again, power cycle, redo
move, transfer, relocate, migrate, shift
rename, move
copy, duplicate, clone, replicate, fork
merge, combine, join, unite, integrate
split, separate, unmerge, divide
send, deliver, post, dispatch, submit, transmit, tell, message, notify, publish
reply, respond, answer, react, write back
forward, pass on, relay
upload, attach, push, import, send file
download, export, save, pull, fetch, get file
invite, add member, add user, bring in
share, give access, grant, let in, permission, invite
revoke, take away, remove access, withdraw, unshare
enable, activate, turn on, switch on, allow
disable, deactivate, turn off, switch off, block
block, ban, deny, forbid, protect, firewall
login, log in, sign in, signin, authenticate, auth, connect
logout, log out, sign out, disconnect
schedule, book, arrange, plan, reserve, set up, appointment
accept, approve, confirm, agree
decline, reject, refuse, deny, dismiss
close, finish, complete, done, resolve, check off, mark done
assign, delegate, give, hand over, allocate
subscribe, follow, watch, monitor, track, alert
monitor, observe, watch, check, uptime
validate, verify, check, test, lint, audit, review
review, feedback, critique, comment, rate
comment, note, remark, annotate, thread
compare, diff, difference, changes
analyze, analyse, investigate, examine, debug, troubleshoot, diagnose, explain, insight
explain, describe, why, plan
summarize, summarise, summary, summarizer, digest, sum up, brief
translate, convert, transform, parse
sort, order, arrange, rank, rerank
filter, where, matching
count, how many, number of, total
deploy, release, publish, ship, roll out, go live, upload
rollback, roll back, revert, undo, restore, return to
restore, recover, bring back, undelete
backup, back up, snapshot, save copy
resize, scale, grow, shrink, enlarge, upgrade
upgrade, update version, newer version
refresh, reload, sync, synchronize
navigate, go to, visit, open page, browse, open url
click, press, tap, push button, hit
type, enter, fill, input, write, enter text
press, key, keyboard, hit key
select, choose, pick
drag, drag and drop, drop
scroll, swipe
hover, mouse over
wait, until, sleep, delay
crawl, spider, whole site
scrape, extract, read page, fetch page, web fetch, get page content
record, capture, screencast, film
capture, take, snap
draw, paint, illustrate, generate image, plot
remember, store, memorize, save, add observation, note
store, save, write, keep, persist, set
pin, stick, highlight
archive, store away
lock, freeze, protect
encrypt, secure
rotate, renew, reset, recycle
install, set up, add
link, connect, relate, bind, attach, peer, peering, relation
detach, unlink, disconnect, unassign, separate, remove
tag, label, category, mark, flag
export, dump, save as
think, reason, reflect, ponder
evaluate, run script, execute script, run code
`;

/** What it is done to. */
export const NOUNS = `
pull request, merge request, pr, mr, change request
issue, ticket, bug, bug report, work item, story, defect, problem report
sprint, iteration, cycle, milestone
backlog, board, kanban
repository, repo, project repository
branch, feature branch, development branch
commit, revision, change, changeset
commits, history, log
gist, snippet
release, version, tag
main, master, trunk, default branch
checks, ci status, build status, status checks
ci, continuous integration, pipeline, build, workflow
pipeline, workflow, build, job
cd, continuous deployment, deployment
artifact, build output, binary
flaky, intermittent, unstable
test, spec, unit test, test case
coverage, test coverage
failure, break, broken, fail, error, crash
crash, exception, crashlytics, error
error, exception, failure, problem, fault, wrong
bug, error, problem, exception
log, logs, output, trace, journal
trace, span, tracing, profile
metric, measurement, statistic, analytics, stats, usage
statistics, stats, numbers, metrics, analytics, report
incident, outage, problem, alert, downtime
alert, alarm, notification, warning
uptime, reachable, online, available, health
slow, performance, speed, latency, fast, loading time
dashboard, report, overview, chart
environment variable, env var, env, configuration variable
config, configuration, cfg, settings, setting, preferences, options
secret, password, credential, token, api key, key
credentials, login data, kubeconfig, password
ssh key, public key, key
certificate, cert, ssl, tls, https, ca
domain, dns, hostname, zone
dns record, dns entry, domain record
ip, ip address, ipv4, ipv6
static ip, reserved ip, elastic ip, floating ip, fixed ip
byoip, bring your own ip
network, vpc, virtual private cloud, private network, subnet
load balancer, lb, distribute traffic
firewall, security group, inbound rule
cdn, content delivery network, edge cache
cache, cached files
vm, virtual machine, instance, droplet, server, machine, ec2, compute, host, vps
server, host, machine, droplet, instance
container, docker, pod
kubernetes, k8s, doks, eks, gke, aks
node pool, nodepool, node group
serverless, function, lambda, cloud function, edge function, worker
worker, serverless, edge function, script
cron, schedule, scheduled job, timer, every day, daily, periodic, recurring, trigger
queue, message queue, topic, broker, kafka
topic, channel, stream
bucket, object storage, s3, r2, blob, spaces, container
object, blob, file
kv, key value, key-value, key value store, namespace
database, db, datastore, dbs, sql
sql, query, statement, select
postgres, postgresql, pg, psql
mongodb, mongo
mysql, mariadb
sqlite, sqlite3
elasticsearch, elastic, opensearch
redis, valkey, cache
schema, structure, columns, fields, ddl, table definition
migration, schema change, ddl, migrate
table, relation, sheet
column, field, attribute, property
row, record, entry, line
record, row, entry, item
document, doc, record
collection, table, group
index, indices, indexes
mapping, field type, field mappings
query plan, execution plan, explain, planner
size, how big, how large, disk usage, storage size, disk space
storage, disk, drive, space
embedding, vector, embeddings
vector, embedding, pinecone, semantic
relevance, rank, rerank, similarity, best match
knowledge graph, memory, graph, entity
entity, node, person, object
observation, fact, note, detail
model, llm, ai, language model, gpt
llm, language model, ai
inference, prediction, generate
image, picture, photo, pic, screenshot, illustration, drawing, icon
screenshot, screen shot, photo, screen capture, snap, page image
video, clip, movie, film, recording, screencast
audio, sound, music, song, track
music, song, track, album, playlist
news, headline, press, current events, article
article, paper, publication, study, post
paper, scientific, arxiv, research paper, academic, publication, journal
web, internet, online, website
website, site, web site, webpage, page, homepage
webpage, web page, page, url, site, website
url, link, address, web address
sitemap, site map, map urls, list of urls
browser, chrome, tab, window
tab, page, window
form, fields, inputs, text box, textbox
text box, textbox, input, field, text field
button, element, link, control
dropdown, select, option, combo box
dialog, popup, alert, prompt, confirm box, modal
console, browser output, console messages, javascript errors
javascript, js, script, ecmascript
typescript, ts
stylesheet, css, style, styles
style, lint, format, code style
network request, http request, ajax, xhr, request
accessibility, a11y, screen reader, wcag
phone, mobile, device, smartphone, emulate, viewport
dark mode, color scheme, theme, media
file, document, attachment
folder, directory, dir, path
file content, contents of file, file text
attachment, attached file, file
metadata, info, details, properties, file info
permission, access, right, role, sharing
share link, sharing link, public link
version, history, revision, previous
terminal, shell, command line, console, process, bash, command
command, process, terminal, program
process, program, task, pid
pdf, document
zip, compress, gzip, archive
spreadsheet, excel, sheet, worksheet, workbook, xlsx, google sheets
cell, range, cells
background color, fill, cell color, highlight
font, bold, italic, text format
chart, graph, plot, diagram, visualization
slide, presentation, powerpoint, deck
word document, docx, doc
notebook, note, onenote
note, notes, memo, page
wiki, knowledge base, documentation, confluence
documentation, docs, manual, reference, how to use, library docs, guide
library, package, dependency, module, framework
changelog, release notes, what is new, changes, whats new
example, sample, code sample
template, boilerplate, starter
email, mail, e-mail, message, outlook, inbox
draft, unsent
inbox, mailbox, mail folder
unread, new mail, new messages
out of office, vacation, automatic reply, autoreply, mailbox settings, away message
mail rule, filter mail, inbox rule
message, msg, chat, text, dm
chat, conversation, direct message, im, messaging
channel, room, team channel, slack channel
slack, channel, message
teams, ms teams, microsoft teams
thread, conversation, replies, discussion
reaction, emoji, like, thumbs up
push notification, push, notification, fcm, messaging
notification, alert, notify, push
sms, text message
calendar, schedule, agenda, diary
event, appointment, meeting, calendar entry
meeting, call, appointment, event, conference
invitation, invite, meeting request
availability, free, busy, free busy, presence, available, schedule
presence, status, do not disturb, dnd, away, online
reminder, remind, alarm
snooze, postpone, later, delay
transcript, minutes, transcription
attendance, attended, participant, attendee
room, conference room, meeting room, place
task, todo, to do, to-do, to do list, todo list
plan, planner, project plan
contact, person, address book, people
user, account, member, person, people, colleague
member, user, participant, person
team, group, crew, squad
group, team, distribution list
colleague, coworker, teammate, user, member
boss, manager, supervisor
direct report, subordinate
employee, staff, worker, user
organization, organisation, org, company, tenant, workspace
account, profile, user
profile, who am i, current user, about me, me
identity, user id, who is
customer, client, contact
company, business, organization
deal, opportunity, sale
invoice, bill, receipt, payment
billing, cost, price, payment, invoice, balance, how much, spend, charge
balance, money, credit
payment, charge, transaction, pay
refund, money back, reimburse
subscription, plan, recurring payment
order, purchase, buy
product, item, goods, sku
cart, basket, checkout
price, cost, how expensive, quote
budget, spending, limit
currency, exchange rate, money
stock, share price, ticker, quote
place, location, poi, shop, restaurant, cafe, business
nearby, near me, local
place details
address, location, street, street name
coordinates, latitude, longitude, lat lng, gps, geo, geocode
elevation, altitude, height, how high
directions, route, way, navigation
distance, how far, travel time, drive, duration
map, maps
weather, forecast, temperature, rain
flight, plane, airline, trip
hotel, accommodation, stay, lodging
design, mockup, figma, layout, ui
icon, svg, asset, image
vulnerability, cve, security issue, exploit, security alert
security, advisory, vulnerability, safe
policy, rule, access control
rule, policy, condition
webhook, subscription, callback, hook
quota, limit, rate limit, budget
region, location, data center, zone
size, plan, tier, flavor
image, os image, snapshot
notebook, jupyter
natural language, plain english
dql, query language
course, lesson, tutorial, learn
prompt, instruction
comment, reply, feedback
label, tag, category
priority, severity, urgency
status, state, condition, progress
progress, status
id, identifier, uuid
name, title, called
title, subject, name, heading
description, body, text
language, locale
time zone, timezone
favorite, star, bookmark, starred
feature flag, remote config, toggle, flag
app, application
backend, server, api
api, endpoint, rest
route, path, url pattern
binding, service binding, connection
tree, hierarchy, recursive
list, all
`;

/** What people say where another word is meant. */
export const MEANINGS = `
who > user, member, people, owner
where > find, search, locate
how much > cost, balance, price, usage, billing
how long > duration, distance, time
gh > github
gl > gitlab
ms > microsoft, ms365
m365 > ms365, microsoft
office > ms365, microsoft, excel
do > digitalocean
aws > amazon
gcp > google cloud
azdo > azure devops
ado > azure devops
gmail > email, mail
outlook > mail, calendar
trello > board, card
kanban > board
vscode > editor
notion > page, database
dropbox > drive, file
drive > onedrive, file
today > current, date, now
now > current, active
latest > recent, last, latest
last > latest, recent
previous > earlier, version, back
back > previous, history
free > available, schedule, availability
busy > schedule, availability, presence
money > balance, payment, invoice
cheap > cost, price
traffic > analytics, requests, network
visitors > analytics, traffic
public > publish, share
private > secret, internal
people > users, members, person
production > live, deployment
memory leak > heap snapshot, memory
`;
