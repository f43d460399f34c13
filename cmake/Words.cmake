# Makes of the texts of `--help` (host/cli/help) the manual page and the completions of shells.
#
# Included, it defines clcable_words(FOLDER): a target that makes them, and rules to install them. Run as a script, with HELP (the
# folder of the texts), SCHEMA (of scenes, which lists the methods), VERSION and OUTPUT (a folder), it writes them.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(CLCABLE_WORDS_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
  function(clcable_words output)
    set(help ${PROJECT_SOURCE_DIR}/host/cli/help)
    set(schema ${PROJECT_SOURCE_DIR}/scenes/scene.schema.json)
    file(GLOB texts CONFIGURE_DEPENDS ${help}/*.txt)
    set(made ${output}/clcable.1 ${output}/clcable.bash ${output}/_clcable ${output}/clcable.fish)
    add_custom_command(OUTPUT ${made}
      COMMAND ${CMAKE_COMMAND} -DHELP=${help} -DSCHEMA=${schema} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${output}
              -P ${CLCABLE_WORDS_SCRIPT}
      DEPENDS ${texts} ${schema} ${CLCABLE_WORDS_SCRIPT}
      COMMENT "Making the manual page and completions" VERBATIM)
    add_custom_target(clcable_words ALL DEPENDS ${made})
    install(FILES ${output}/clcable.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${output}/clcable.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME clcable)
    install(FILES ${output}/_clcable DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${output}/clcable.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)

# A list in CMake is a text with semicolons, so those of the texts are put aside meanwhile.
function(read_text name result)
  file(READ ${HELP}/${name}.txt text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The commands and what each does, from the program's own text: "  run SCENE       simulate ...".
read_text(clcable overview)
string(REGEX MATCHALL "\n  [a-z]+ [^\n]*" lines "${overview}")
set(commands "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "[a-z]+" command "${line}")
  string(SUBSTRING "${line}" 19 -1 does) # the texts stand below each other
  list(APPEND commands ${command})
  set(does_${command} "${does}")
endforeach()

# The options of each.
foreach(command IN LISTS commands)
  read_text(${command} text)
  string(REGEX MATCHALL "--[a-z]+(-[a-z]+)*" options "${text}")
  list(APPEND options --help)
  list(REMOVE_DUPLICATES options)
  list(SORT options)
  set(options_${command} ${options})
endforeach()

file(READ ${SCHEMA} schema)
string(JSON count LENGTH "${schema}" $defs method_name enum)
set(methods "")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON method GET "${schema}" $defs method_name enum ${i})
  list(APPEND methods ${method})
endforeach()

# ---- the manual page: each text as it stands ----

function(roff text result)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  string(REPLACE "<semicolon>" ";" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(page ".\\\" Made from the texts of --help by cmake/Words.cmake.\n.TH CLCABLE 1 \"\" \"clcable ${VERSION}\" \"User Commands\"\n")
string(APPEND page ".SH NAME\nclcable \\- simulates cables, on the CPU or on an OpenCL device\n")
roff("${overview}" text)
string(APPEND page ".SH SYNOPSIS\n.nf\n${text}.fi\n")
foreach(command IN LISTS commands)
  read_text(${command} text)
  roff("${text}" text)
  string(TOUPPER ${command} title)
  string(APPEND page ".SH CLCABLE ${title}\n.nf\n${text}.fi\n")
endforeach()
file(WRITE ${OUTPUT}/clcable.1 "${page}")

# ---- completions ----

list(JOIN commands " " all)
list(JOIN methods " " methods)
set(cases "")
foreach(command IN LISTS commands)
  list(JOIN options_${command} " " options)
  string(APPEND cases "    ${command}) words='${options}' <end>\n")
endforeach()
string(CONCAT bash
  "# Completion of clcable for bash, made from the texts of --help.\n_clcable() {\n    local cur=\${COMP_WORDS[COMP_CWORD]} words=\n"
  "    case \${COMP_WORDS[COMP_CWORD - 1]} in\n"
  "    --device) COMPREPLY=($(compgen -W 'native opencl' -- \"$cur\")) && return <end>\n"
  "    --method) COMPREPLY=($(compgen -W '${methods}' -- \"$cur\")) && return <end>\n    esac\n"
  "    case \${COMP_WORDS[1]} in\n${cases}    esac\n"
  "    [ \"$COMP_CWORD\" -ne 1 ] || words='${all} --help --version'\n"
  "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"\${cur#-}\" != \"$cur\" ]<semicolon> then\n"
  "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    else\n        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\n"
  "complete -o filenames -F _clcable clcable\n")

set(described "")
foreach(command IN LISTS commands)
  string(REGEX REPLACE "[`']" "" does "${does_${command}}")
  string(REPLACE ":" "," does "${does}")
  string(APPEND described "  '${command}:${does}'\n")
endforeach()
string(REPLACE "words='" "words=(" zsh_cases "${cases}")
string(REPLACE "' <end>" ") <end>" zsh_cases "${zsh_cases}")
string(CONCAT zsh
  "#compdef clcable\n# Completion of clcable for zsh, made from the texts of --help.\nlocal -a commands words_of\ncommands=(\n${described})\n"
  "if (( CURRENT == 2 ))<semicolon> then\n  _describe command commands\n  return\nfi\n"
  "case $words[CURRENT-1] in\n    --device) compadd native opencl<semicolon> return <end>\n    --method) compadd ${methods}<semicolon> return <end>\nesac\n"
  "case $words[2] in\n${zsh_cases}esac\n"
  "if [[ $words[CURRENT] == -* ]]<semicolon> then\n  compadd -- $words_of\nelse\n  _files\nfi\n")
string(REPLACE " words=(" " words_of=(" zsh "${zsh}")

set(fish "# Completion of clcable for fish, made from the texts of --help.\n")
foreach(command IN LISTS commands)
  string(REGEX REPLACE "[`']" "" does "${does_${command}}")
  string(APPEND fish "complete -c clcable -n __fish_use_subcommand -f -a ${command} -d '${does}'\n")
  foreach(option IN LISTS options_${command})
    string(REGEX REPLACE "^--" "" option ${option})
    set(takes "")
    if(option STREQUAL "device")
      set(takes " -x -a 'native opencl'")
    elseif(option STREQUAL "method")
      set(takes " -x -a '${methods}'")
    endif()
    string(APPEND fish "complete -c clcable -n '__fish_seen_subcommand_from ${command}' -l ${option}${takes}\n")
  endforeach()
endforeach()

foreach(shell IN ITEMS bash zsh fish)
  string(REPLACE "<end>" "<semicolon><semicolon>" ${shell} "${${shell}}")
  string(REPLACE "<semicolon>" ";" ${shell} "${${shell}}")
endforeach()
file(WRITE ${OUTPUT}/clcable.bash "${bash}")
file(WRITE ${OUTPUT}/_clcable "${zsh}")
file(WRITE ${OUTPUT}/clcable.fish "${fish}")
